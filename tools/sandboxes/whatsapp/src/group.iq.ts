import type { Delivery } from './delivery';
import { formatJid, GROUPS, PHONES } from './jid';
import { iqError, type IqHandler, type IqHandlers, type IqRequest } from './iq.types';
import type { BinaryNode } from './library';
import { lidOf, pnOf, type Account, type Device, type Group, type GroupRole, type Network } from './network';
import { children, element, text } from './node.reader';

const groupJid = (group: Group): string => formatJid(group.id, GROUPS);

/** A group uses LID addresses as soon as one member has no other, like newer groups of WhatsApp. */
export const groupForm = (group: Group): 'lid' | 'pn' =>
  [...group.members.keys()].some(({ addressing }) => addressing !== 'pn') ? 'lid' : 'pn';

const memberAttrs = (group: Group, account: Account): Record<string, string | undefined> =>
  groupForm(group) === 'lid'
    ? { jid: lidOf(account), phone_number: account.addressing === 'hidden' ? undefined : pnOf(account) }
    : { jid: pnOf(account), lid: lidOf(account) };

const describe = (group: Group): BinaryNode => {
  const members = [...group.members].map(([account, type]) =>
    element('participant', { ...memberAttrs(group, account), type }),
  );
  const creator = memberAttrs(group, group.creator);
  return element(
    'group',
    {
      id: group.id,
      subject: group.subject,
      s_t: String(group.created),
      creation: String(group.created),
      creator: creator.jid,
      creator_pn: creator.phone_number,
      addressing_mode: groupForm(group),
      size: String(members.length),
    },
    members,
  );
};

type Action = 'add' | 'remove' | 'promote' | 'demote';
const roleAfter: Record<Exclude<Action, 'remove'>, GroupRole> = { add: undefined, promote: 'admin', demote: undefined };

/** Requests of `xmlns=w:g2`. Administrators change members, of which a `w:gp2` notification tells all members. */
export class GroupDesk {
  private made = 0;

  constructor(
    private readonly network: Network,
    private readonly delivery: Delivery,
  ) {}

  handlers(): IqHandlers {
    const change =
      (action: Action): IqHandler =>
      (request) =>
        this.change(action, request);
    return {
      'w:g2/set/create': (request) => this.create(request),
      'w:g2/get/query': ({ device, node }) => this.withGroup(device, node, (group) => [describe(group)]),
      'w:g2/get/participating': ({ device }) => [element('groups', {}, this.groupsOf(device.account).map(describe))],
      'w:g2/set/subject': (request) => this.rename(request),
      'w:g2/set/add': change('add'),
      'w:g2/set/remove': change('remove'),
      'w:g2/set/promote': change('promote'),
      'w:g2/set/demote': change('demote'),
    };
  }

  private groupsOf(account: Account): Group[] {
    return [...this.network.groups.values()].filter(({ members }) => members.has(account));
  }

  private withGroup(device: Device, node: BinaryNode, work: (group: Group) => BinaryNode[]): BinaryNode[] {
    const group = this.network.groups.get(node.attrs.to ?? '');
    return group?.members.has(device.account) ? work(group) : iqError('404', 'item-not-found');
  }

  private create({ device, body }: IqRequest): BinaryNode[] {
    const id = `1203630${String(10_000_000_000 + ++this.made)}`;
    const group: Group = {
      id,
      subject: body?.attrs.subject ?? '',
      created: this.network.now(),
      creator: device.account,
      members: new Map([[device.account, 'superadmin']]),
    };
    for (const { attrs } of children(body, 'participant')) {
      const account = this.network.find(attrs.jid ?? '');
      if (account && account !== device.account) group.members.set(account, undefined);
    }
    this.network.groups.set(groupJid(group), group);
    this.tell(group, device, element('create', {}, [describe(group)]));
    return [describe(group)];
  }

  private rename({ device, node, body }: IqRequest): BinaryNode[] {
    return this.withGroup(device, node, (group) => {
      group.subject = text(body);
      this.tell(group, device, element('subject', { subject: group.subject }));
      return [];
    });
  }

  /** One result per member: 403 unless the caller is an administrator, 404 for unknown numbers. */
  private change(action: Action, { device, node, body }: IqRequest): BinaryNode[] {
    return this.withGroup(device, node, (group) => {
      const before = [...group.members.keys()];
      const allowed = group.members.get(device.account) !== undefined;
      const answers = children(body, 'participant').map(({ attrs }) => {
        const jid = attrs.jid ?? '';
        const account = this.network.find(jid);
        const error = allowed ? this.apply(action, group, account) : '403';
        return element('participant', { ...(account ? memberAttrs(group, account) : {}), jid, error });
      });
      const done = answers.filter(({ attrs }) => !attrs.error);
      if (done.length) this.tell(group, device, element(action, {}, done), before);
      return [element(action, {}, answers)];
    });
  }

  /** The error code, if any: 404 for an unknown number or a non-member, 409 for a member, 403 for removing the creator. */
  private apply(action: Action, group: Group, account: Account | undefined): string | undefined {
    if (!account) return '404';
    const member = group.members.has(account);
    if (action === 'add' && member) return '409';
    if (action !== 'add' && !member) return '404';
    if (action !== 'add' && account === group.creator) return '403';
    if (action === 'remove') group.members.delete(account);
    else group.members.set(account, roleAfter[action]);
    return undefined;
  }

  private tell(group: Group, actor: Device, what: BinaryNode, also: readonly Account[] = []): void {
    const form = groupForm(group);
    const { account } = actor;
    const node = element(
      'notification',
      {
        from: groupJid(group),
        type: 'w:gp2',
        id: this.network.nextId(),
        t: String(this.network.now()),
        notify: account.name,
        participant: form === 'lid' ? lidOf(account) : formatJid(account.number, PHONES),
        participant_pn: form === 'lid' && account.addressing !== 'hidden' ? pnOf(account) : undefined,
      },
      [what],
    );
    for (const member of new Set([...group.members.keys(), ...also]))
      for (const device of member.devices.values()) if (device !== actor) this.delivery.notice(device, node);
  }
}
