import type { Sql } from '@platform/data';
import type { MembershipsClient } from '../../../clients/store-auth.memberships';
import type { CommerceJobs, Queue } from '../../../jobs';
import { pushedRole, systemRoles, type SystemRole } from '../../../roles';
import type { ChatCopies } from '../../chat/copies/public';

interface MemberRow {
  readonly system_role: SystemRole | null;
  readonly abilities: readonly string[] | null;
  readonly chat_team_ids: readonly string[];
  readonly status: 'active' | 'disabled';
  readonly updated_at: Date;
}

interface StoreRow {
  readonly nama: string;
  readonly status: string;
  readonly version: string;
}

const MEMBER = `
  SELECT m.system_role, r.abilities, m.chat_team_ids, m.status, m.updated_at FROM membership m
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id WHERE m.store_id = $1 AND m.user_id = $2`;

const STORE = 'SELECT name AS nama, status, updated_at::text AS version FROM store WHERE store_id = $1';

/** Places in chat teams that a member has, and those that chat-backend was told of, which they may have lost. */
const SEATS = `
  SELECT t.id || ' ' || m.user_id AS seat FROM membership m
  JOIN chat_team t ON t.store_id = m.store_id AND t.id = ANY (m.chat_team_ids) WHERE m.store_id = $1 AND m.user_id = $2
  UNION
  SELECT p.row_id FROM sync_pending p
  WHERE p.store_id = $1 AND p.kind = 'team_members' AND split_part(p.row_id, ' ', 2) = $2::text`;

const STORES = 'SELECT store_id FROM membership WHERE user_id = $1 ORDER BY store_id';

/**
 * The copies that store-auth and chat-backend have of stores and who works there. Whoever changes a membership says so in the transaction
 * of the change; the jobs read the row as it stands when they run, so that pushes may be late, repeated or out of order: the last
 * state arrives.
 */
export class Pushes {
  constructor(
    private readonly sql: Sql,
    private readonly queue: Queue,
    private readonly memberships: MembershipsClient,
    private readonly copies: Pick<ChatCopies, 'touched'>,
  ) {}

  async member(tx: Sql, storeId: string, userId: string, at: Date): Promise<void> {
    const payload = { storeId, userId, at: at.toISOString() };
    await this.queue.enqueue(tx, 'membership.push', payload, { key: `membership:${storeId}:${userId}` });
    await this.copies.touched(tx, storeId, 'users', [userId]);
    const seats = await tx.query<{ seat: string }>(SEATS, [storeId, userId]);
    await this.copies.touched(
      tx,
      storeId,
      'team_members',
      seats.map(({ seat }) => seat),
    );
  }

  async store(tx: Sql, storeId: string): Promise<void> {
    await this.queue.enqueue(tx, 'store.push', { storeId }, { key: `store:${storeId}` });
    await this.copies.touched(tx, storeId, 'stores', [storeId]);
  }

  /** A user has another name or address: store-auth, where it comes from, knows; chat-backend hears it in each of their stores. */
  async person(tx: Sql, userId: string): Promise<void> {
    for (const { store_id } of await tx.query<{ store_id: string }>(STORES, [userId]))
      await this.copies.touched(tx, store_id, 'users', [userId]);
  }

  /** The job of one membership. */
  async pushMember({ storeId, userId, at }: CommerceJobs['membership.push']): Promise<void> {
    const [row] = await this.sql.query<MemberRow>(MEMBER, [storeId, userId]);
    if (!row) return this.memberships.remove(storeId, userId, at);
    const { system_role: role, abilities, chat_team_ids: teams, status, updated_at } = row;
    const allowed = role ? systemRoles[role] : (abilities ?? []);
    const membership = { role: pushedRole(role, allowed), teams, status, updated_at: updated_at.toISOString() };
    await this.memberships.put(storeId, userId, membership);
  }

  /** The job of one store. What has changed during the call is pushed again: store-auth cannot tell which came later. */
  async pushStore({ storeId }: CommerceJobs['store.push']): Promise<void> {
    for (let pushed: string | undefined; ;) {
      const [row] = await this.sql.query<StoreRow>(STORE, [storeId]);
      if (!row || row.version === pushed) return;
      await this.memberships.putStore(storeId, { nama: row.nama, status: row.status });
      pushed = row.version;
    }
  }
}
