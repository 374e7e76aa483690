import { randomInt } from 'node:crypto';
import { jidOf } from '@platform/contracts';
import type { Database } from '@platform/data';
import type { Group, GroupAction, GroupMember, Jid, ParticipantResult } from '../engine.types';

interface GroupRow {
  readonly name: string;
  readonly owner: string;
  readonly announce: boolean;
  readonly createdAt: string;
}
interface MemberRow {
  readonly nohp: string;
  readonly name: string;
  readonly rank: GroupMember['admin'];
}

const jid = (nohp: string): Jid => jidOf({ kind: 'user', id: nohp });

/** WhatsApp's codes: 403 not allowed, 404 nobody there, 409 there already. */
const done = (nohp: string): ParticipantResult => ({ number: jid(nohp), status: 200, message: 'success' });
const refused = (nohp: string, status: number, message: string): ParticipantResult => ({
  number: jid(nohp),
  status,
  message,
});

const ADD = `INSERT INTO sim_member (group_id, nohp) SELECT $1, nohp FROM sim_phone WHERE nohp = $2 ON CONFLICT DO NOTHING RETURNING nohp`;
const CHANGE: Readonly<Record<Exclude<GroupAction, 'add'>, string>> = {
  remove: 'DELETE FROM sim_member WHERE group_id = $1 AND nohp = $2 RETURNING nohp',
  promote: `UPDATE sim_member SET rank = coalesce(rank, 'admin') WHERE group_id = $1 AND nohp = $2 RETURNING nohp`,
  demote: `UPDATE sim_member SET rank = nullif(rank, 'admin') WHERE group_id = $1 AND nohp = $2 RETURNING nohp`,
};

/** The groups of the simulated network. Phones are bare digits here. */
export class SimulatorGroups {
  constructor(private readonly database: Database) {}

  /** People without a phone on this network stay outside. */
  async create(
    owner: string,
    name: string,
    participants: readonly string[],
  ): Promise<{ group: Group; results: ParticipantResult[] }> {
    const id = `120363${String(randomInt(2 ** 39)).padStart(12, '0')}@g.us`;
    await this.found(id, name, owner);
    const results: ParticipantResult[] = [];
    for (const nohp of participants) results.push(await this.apply(id, 'add', nohp));
    const group = await this.info(id, owner);
    if (!group) throw new Error('the group was not stored');
    return { group, results };
  }

  /** A group that a customer writes in without anybody having made it. */
  async ensure(id: Jid, owner: string, members: readonly string[]): Promise<void> {
    if (await this.row(id)) return;
    await this.found(id, `Group ${id.slice(0, -'@g.us'.length).slice(-4)}`, owner);
    for (const nohp of members) await this.database.query(ADD, [id, nohp]);
  }

  async members(id: Jid): Promise<MemberRow[]> {
    return this.database.query<MemberRow>(
      'SELECT m.nohp, p.name, m.rank FROM sim_member m JOIN sim_phone p USING (nohp) WHERE m.group_id = $1 ORDER BY m.seq',
      [id],
    );
  }

  /** Undefined when there is no such group, or `viewer` is not in it. */
  async info(id: Jid, viewer: string): Promise<Group | undefined> {
    const [group, members] = [await this.row(id), await this.members(id)];
    if (!group || !members.some(({ nohp }) => nohp === viewer)) return undefined;
    const { name, owner, announce, createdAt } = group;
    return {
      id,
      name,
      owner: jid(owner),
      createdAt: Number(createdAt),
      announce,
      members: members.map(({ nohp, name: member, rank }) => ({ number: jid(nohp), name: member, admin: rank })),
    };
  }

  async change(
    id: Jid,
    by: string,
    action: GroupAction,
    participants: readonly string[],
  ): Promise<ParticipantResult[]> {
    const rank = (await this.members(id)).find(({ nohp }) => nohp === by)?.rank;
    const results: ParticipantResult[] = [];
    for (const nohp of participants)
      results.push(rank ? await this.apply(id, action, nohp) : refused(nohp, 403, 'not an admin'));
    return results;
  }

  private async apply(id: Jid, action: GroupAction, nohp: string): Promise<ParticipantResult> {
    const [changed] = await this.database.query(action === 'add' ? ADD : CHANGE[action], [id, nohp]);
    if (changed) return done(nohp);
    if (action !== 'add') return refused(nohp, 404, 'not a participant');
    const isMember = (await this.members(id)).some((member) => member.nohp === nohp);
    return isMember ? refused(nohp, 409, 'already a participant') : refused(nohp, 404, 'number not registered');
  }

  private async found(id: Jid, name: string, owner: string): Promise<void> {
    await this.database.query(
      `WITH made AS (INSERT INTO sim_group (id, name, owner) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id)
       INSERT INTO sim_member (group_id, nohp, rank) SELECT id, $3, 'superadmin' FROM made`,
      [id, name, owner],
    );
  }

  private async row(id: Jid): Promise<GroupRow | undefined> {
    const sql = `SELECT name, owner, announce, floor(extract(epoch FROM created_at)) AS "createdAt" FROM sim_group WHERE id = $1`;
    return (await this.database.query<GroupRow>(sql, [id]))[0];
  }
}
