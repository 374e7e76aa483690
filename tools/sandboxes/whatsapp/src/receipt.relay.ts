import type { Delivery } from './delivery';
import type { FaultBook } from './fault.book';
import { groupForm } from './group.iq';
import { isGroup, parseJid } from './jid';
import type { BinaryNode } from './library';
import { jidAs, lidOf, pnOf, type Device, type Network } from './network';
import { child, children, element } from './node.reader';

/** Receipts between the server and one account, which are not passed on to the author of the message. */
const PRIVATE_TYPES = new Set(['sender', 'read-self', 'peer_msg', 'hist_sync', 'server-error']);

const idsOf = (node: BinaryNode): string[] => [
  node.attrs.id ?? '',
  ...children(child(node, 'list'), 'item').map(({ attrs }) => attrs.id ?? ''),
];

/** A receipt releases a held message and is passed on to its author. */
export class ReceiptRelay {
  constructor(
    private readonly network: Network,
    private readonly delivery: Delivery,
    private readonly faults: FaultBook,
  ) {}

  take(reader: Device, node: BinaryNode): void {
    const { id, to, type } = node.attrs;
    this.delivery.send(reader, element('ack', { class: 'receipt', id, from: to, type }));
    if (type !== 'retry') this.delivery.release(reader, idsOf(node));
    if (PRIVATE_TYPES.has(type ?? '')) return;
    for (const author of this.authors(node))
      if (author !== reader) this.delivery.notice(author, element('receipt', this.attrs(reader, node), node.content));
  }

  /** An `ack class=message` releases the message too; one with an error only if `nackReleases` is set. */
  acknowledged(device: Device, { attrs }: BinaryNode): void {
    if (attrs.class !== 'message') return;
    if (attrs.error === undefined || this.faults.of(device.account.number).nackReleases)
      this.delivery.release(device, [attrs.id ?? '']);
  }

  /** All devices of the author; for a retry, only the one that encrypted. */
  private authors({ attrs }: BinaryNode): Device[] {
    const jid = (isGroup(attrs.to ?? '') ? attrs.participant : attrs.to) ?? '';
    const account = this.network.find(jid);
    const asked = attrs.type === 'retry' ? account?.devices.get(parseJid(jid).device) : undefined;
    return asked ? [asked] : [...(account?.devices.values() ?? [])];
  }

  private attrs({ account, id: device }: Device, { attrs }: BinaryNode): Record<string, string | undefined> {
    const { id, to = '', type } = attrs;
    const t = attrs.t ?? String(this.network.now());
    if (!isGroup(to)) return { from: jidAs(account, parseJid(to).server, device), id, type, t };
    const group = this.network.groups.get(to);
    const form = group && groupForm(group) === 'lid' ? lidOf : pnOf;
    return { from: to, participant: form(account, device), id, type, t };
  }
}
