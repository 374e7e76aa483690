import type { Database, Sql } from '@platform/data';
import type { UserRole } from '@platform/contracts';
import type { MembershipStatus } from './membership.entity';
import type { StoreStatus } from './store.entity';
import { User } from './user.entity';

/** A membership with the state of its store. */
export interface StoreMembership {
  readonly storeId: string;
  readonly role: UserRole;
  readonly teams: string[];
  readonly status: MembershipStatus;
  readonly storeStatus: StoreStatus;
}

/** E-mail addresses are one account in any spelling of case. */
export const normalisedEmail = (email: string): string => email.trim().toLowerCase();

export class UserRepository {
  constructor(private readonly database: Database) {}

  byEmail(email: string): Promise<User | null> {
    return this.database.entities.findOneBy(User, { email: normalisedEmail(email) });
  }

  /** Inside a transaction pass its `entities`: a second connection there could wait for the first. */
  byId(id: string, entities = this.database.entities): Promise<User | null> {
    return entities.findOneBy(User, { id });
  }

  async setPasswordHash(id: string, passwordHash: string): Promise<void> {
    await this.database.entities.update(User, { id }, { passwordHash });
  }

  /** The oldest first. */
  memberships(userId: string, sql: Sql = this.database): Promise<StoreMembership[]> {
    return sql.prepared<StoreMembership>(
      'memberships-of-user',
      `SELECT m.store_id AS "storeId", m.role, m.teams, m.status, s.status AS "storeStatus"
       FROM memberships m JOIN stores s USING (store_id)
       WHERE m.user_id = $1 ORDER BY m.created_at, m.store_id`,
      [userId],
    );
  }
}
