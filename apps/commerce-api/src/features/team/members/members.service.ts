import { diffOf, writeAudit, type Sql, type Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import { limits } from '../../../limits';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import { chosenRole, refuseBeyond, roleNameOf, teamTurn, type RoleColumns, type TeamParts } from '../roles/public';
import type { MemberChange, MemberView } from './members.dto';

interface Row extends RoleColumns {
  readonly user_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatar_url: string | null;
  readonly status: MemberView['status'];
}

const MEMBERS = `
  SELECT m.user_id, p.name, p.email, p.avatar_url, m.system_role, m.role_id, r.name AS role_name, m.status
  FROM membership m LEFT JOIN person p ON p.user_id = m.user_id
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  WHERE m.store_id = $1`;

export const MEMBERS_LIST = `${MEMBERS} ORDER BY (m.system_role = 'owner') DESC NULLS LAST, m.created_at, m.user_id LIMIT 500`;

/** Whoever is let in again names their browsers anew. */
const UPDATE = `
  WITH told AS (DELETE FROM push_subscription WHERE store_id = $1 AND user_id = $2 AND $5 <> 'active')
  UPDATE membership SET system_role = $3, role_id = $4, status = $5,
    updated_at = greatest($6, updated_at + interval '1 millisecond')
  WHERE store_id = $1 AND user_id = $2`;

/**
 * What was theirs alone: whoever comes back is in no room, has heard of nothing, and has no API token of before. $3 now. Resolves to when they left:
 * behind what store-auth has of them, which another process may have written by a clock that is ahead.
 */
const LEAVE = `
  WITH tokens AS (
      UPDATE api_token SET revoked_at = $3, updated_at = $3
      WHERE store_id = $1 AND created_by = $2::uuid::text AND revoked_at IS NULL
    ),
    rooms AS (DELETE FROM staff_room_member WHERE store_id = $1 AND user_id = $2),
    notes AS (DELETE FROM notification WHERE store_id = $1 AND user_id = $2)
  DELETE FROM membership WHERE store_id = $1 AND user_id = $2 RETURNING greatest($3, updated_at + interval '1 millisecond') AS left_at`;

const viewOf = ({ user_id, name, email, avatar_url, status, ...role }: Row): MemberView => ({
  ...{ user_id, name, email, avatar_url },
  role: roleNameOf(role),
  status,
});

/** What a form shows of a member. */
export const editableOf = ({ role, status }: Pick<MemberView, 'role' | 'status'>): object => ({
  role: role.id,
  status,
});

/**
 * Who works in the store. The owner is untouchable; nobody gives a role that allows more than they may do themselves, or gives it back to who
 * was disabled. To take away is free to all who manage the team.
 */
export class MembersService {
  constructor(private readonly parts: TeamParts) {}

  /** The owner first, then as they came; no more than a plan allows. */
  async list(storeId: string): Promise<MemberView[]> {
    return (await this.parts.database.query<Row>(MEMBERS_LIST, [storeId])).map(viewOf);
  }

  /**
   * What is changed holds for the member's next request; a login of a disabled one ends at store-auth. Throws `version_conflict` when it is not
   * any more what was `seen` of them.
   */
  change(
    caller: Caller,
    userId: string,
    { role_id: roleId, status }: MemberChange,
    seen?: string,
  ): Promise<MemberView> {
    const { database, pushes, clock } = this.parts;
    const { storeId } = caller;
    return database.tx(async (tx) => {
      const own = await teamTurn(tx, caller, clock);
      const before = await this.touchable(tx, storeId, userId);
      const had = viewOf(before).role.id;
      demandSeen(seen, editableOf(viewOf(before)));
      // Whoever lets somebody in again gives them their role anew; the one that they have is given to nobody
      const isGiven = (roleId !== undefined && roleId !== had) || (status === 'active' && before.status !== 'active');
      const role = isGiven ? await chosenRole(tx, storeId, roleId ?? had) : undefined;
      refuseBeyond(own, role?.abilities ?? []);
      const { system_role, role_id } = role ?? before;
      const now = clock.now();
      await tx.query(UPDATE, [storeId, userId, system_role, role_id, status ?? before.status, now]);
      const after = await this.row(tx, storeId, userId);
      await this.written(tx, caller, before, after);
      await pushes.member(tx, storeId, userId, now);
      return viewOf(after);
    });
  }

  remove(caller: Caller, userId: string): Promise<void> {
    const { database, pushes, clock } = this.parts;
    const { storeId } = caller;
    return database.tx(async (tx) => {
      await teamTurn(tx, caller, clock);
      const before = await this.touchable(tx, storeId, userId);
      const now = clock.now();
      const [left] = await tx.query<{ left_at: Date }>(LEAVE, [storeId, userId, now]);
      await limits.giveBack(tx, storeId, 'staff');
      await this.written(tx, caller, before, undefined);
      await pushes.member(tx, storeId, userId, left?.left_at ?? now);
    });
  }

  private async touchable(tx: Sql, storeId: string, userId: string): Promise<Row> {
    const row = await this.row(tx, storeId, userId);
    if (row.system_role === 'owner') throw refusals.isOwner();
    return row;
  }

  private async row(tx: Sql, storeId: string, userId: string): Promise<Row> {
    const [row] = await tx.query<Row>(`${MEMBERS} AND m.user_id = $2 FOR UPDATE OF m`, [storeId, userId]);
    if (!row) throw new NotFound('Member not found');
    return row;
  }

  private written(tx: Transaction, caller: Caller, before: Row, after: Row | undefined): Promise<void> {
    const [old, now] = [before, after].map((row) => row && { role: viewOf(row).role.name, status: row.status });
    const subject = { type: 'member', id: before.user_id };
    return writeAudit(tx, auditOf(caller, this.parts.clock), {
      action: 'team.manage',
      subject,
      diff: diffOf(old, now),
    });
  }
}
