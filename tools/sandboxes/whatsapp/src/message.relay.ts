import type { Delivery } from './delivery';
import type { FaultBook } from './fault.book';
import { groupForm } from './group.iq';
import { isGroup, parseJid } from './jid';
import type { BinaryNode } from './library';
import { jidAs, lidOf, pnOf, type Account, type Device, type Network } from './network';
import { child, children, element } from './node.reader';

/** Passed on unchanged: the kind of an edit, the sender's identity, metadata of polls and events. */
const PASSED_ATTRIBUTES = ['edit'];
const PASSED_CHILDREN = ['device-identity', 'meta'];

/** Relays messages between devices. The server sees only ciphertext, one per receiving device. */
export class MessageRelay {
  constructor(
    private readonly network: Network,
    private readonly delivery: Delivery,
    private readonly faults: FaultBook,
  ) {}

  take(sender: Device, node: BinaryNode): void {
    const { nack, dropAck } = this.faults.of(sender.account.number);
    if (nack !== null) {
      this.acknowledge(sender, node, nack);
      return;
    }
    const group = this.network.groups.get(node.attrs.to ?? '');
    if (isGroup(node.attrs.to ?? '') && !group?.members.has(sender.account)) {
      this.acknowledge(sender, node, '403');
      return;
    }
    if (!dropAck) this.acknowledge(sender, node);
    if (child(node, 'enc') && !child(node, 'participants') && !this.isFirstToGroup(node)) this.resend(sender, node);
    else if (group) this.toGroup(sender, node, [...group.members.keys()], groupForm(group));
    else this.toDevices(sender, node);
  }

  private acknowledge(sender: Device, { attrs }: BinaryNode, error?: string): void {
    const t = String(this.network.now());
    this.delivery.send(sender, element('ack', { class: 'message', id: attrs.id, from: attrs.to, t, error }));
  }

  /** A group message to members who all have the sender key has a bare `enc`, like a resend, but names no participant. */
  private isFirstToGroup({ attrs }: BinaryNode): boolean {
    return isGroup(attrs.to ?? '') && attrs.participant === undefined;
  }

  private toDevices(sender: Device, node: BinaryNode): void {
    for (const to of children(child(node, 'participants'), 'to')) {
      const target = this.network.device(to.attrs.jid ?? '');
      if (!target || target === sender) continue;
      const form = parseJid(to.attrs.jid ?? '').server;
      const recipient = target.account === sender.account ? node.attrs.to : undefined;
      this.deliver(target, node, { ...this.from(sender, form), recipient }, children(to, 'enc'));
    }
  }

  private toGroup(sender: Device, node: BinaryNode, members: readonly Account[], form: 'lid' | 'pn'): void {
    const keys = new Map(
      children(child(node, 'participants'), 'to').map((to) => [this.network.device(to.attrs.jid ?? ''), to]),
    );
    const attrs = this.fromGroup(sender, node.attrs.to, form);
    for (const member of members)
      for (const target of member.devices.values())
        if (target !== sender)
          this.deliver(target, node, attrs, [...children(keys.get(target), 'enc'), ...children(node, 'enc')]);
  }

  /** Handles the resend after a retry receipt: to the one device that asked, with its own `enc`. */
  private resend(sender: Device, node: BinaryNode): void {
    const to = node.attrs.to ?? '';
    const inGroup = isGroup(to);
    const jid = inGroup ? (node.attrs.participant ?? '') : to;
    const target = this.network.device(jid);
    if (!target || target === sender) return;
    const group = this.network.groups.get(to);
    const attrs = inGroup
      ? this.fromGroup(sender, to, group ? groupForm(group) : 'pn')
      : { ...this.from(sender, parseJid(jid).server), recipient: node.attrs.recipient };
    this.deliver(target, node, attrs, children(node, 'enc'));
  }

  private deliver(
    target: Device,
    node: BinaryNode,
    from: Record<string, string | undefined>,
    encrypted: readonly BinaryNode[],
  ): void {
    const passed = Object.fromEntries(PASSED_ATTRIBUTES.map((name) => [name, node.attrs[name]]));
    const attrs = { ...from, ...passed, id: node.attrs.id, type: node.attrs.type, t: String(this.network.now()) };
    const rest = children(node).filter(({ tag }) => PASSED_CHILDREN.includes(tag));
    this.delivery.message(target, element('message', attrs, [...encrypted, ...rest]));
  }

  private from({ account, id }: Device, form: string): Record<string, string | undefined> {
    const from = jidAs(account, form, id);
    const byNumber = from === pnOf(account, id);
    return {
      from,
      notify: account.name,
      sender_lid: byNumber ? lidOf(account, id) : undefined,
      sender_pn: byNumber || account.addressing === 'hidden' ? undefined : pnOf(account, id),
    };
  }

  private fromGroup(
    { account, id }: Device,
    group: string | undefined,
    form: 'lid' | 'pn',
  ): Record<string, string | undefined> {
    const shown = form === 'lid' && account.addressing !== 'hidden';
    return {
      from: group,
      participant: form === 'lid' ? lidOf(account, id) : pnOf(account, id),
      participant_pn: shown ? pnOf(account, id) : undefined,
      participant_lid: form === 'pn' ? lidOf(account, id) : undefined,
      addressing_mode: form,
      notify: account.name,
    };
  }
}
