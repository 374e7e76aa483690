import type { Sql } from '@platform/data';
import type { Caller } from '../../../abilities';
import type { SystemRole } from '../../../roles';
import { planNameOf } from '../../billing/subscriptions/public';
import type { Me, MyStore } from './profile.dto';
import { eventsFor, unreadOf } from '../../notifications/notices/public';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly state: MyStore['store']['status'];
  readonly system_role: SystemRole | null;
  readonly role_id: string | null;
  readonly role_name: string | null;
  readonly status: MyStore['status'];
}

/** Of one user over all stores, which only the user themself may see. */
const OF_USER = `
  SELECT s.store_id AS id, s.name, s.slug, s.status AS state, m.system_role, m.role_id, r.name AS role_name, m.status
  FROM membership m JOIN store s ON s.store_id = m.store_id
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  WHERE m.user_id = $1 ORDER BY m.created_at, s.store_id`;

const myStore = ({ id, name, slug, state, system_role, role_id, role_name, status }: Row): MyStore => ({
  store: { id, name, slug, status: state },
  role: { id: system_role ?? role_id ?? '', name: system_role ?? role_name ?? '' },
  status,
});

/** The stores of a user. */
export class MembershipsOfUser {
  constructor(private readonly sql: Sql) {}

  async all(userId: string): Promise<MyStore[]> {
    return (await this.sql.query<Row>(OF_USER, [userId])).map(myStore);
  }

  /** What the user has not read yet of what the store has told them. */
  unreadOf({ storeId, actor, abilities }: Pick<Caller, 'storeId' | 'actor' | 'abilities'>): Promise<number> {
    return unreadOf(this.sql, { storeId, userId: actor, events: eventsFor(abilities) });
  }

  /** Of the store that the user is in; null: it never had one. */
  planOf(storeId: string): Promise<Me['plan']> {
    return planNameOf(this.sql, storeId);
  }
}
