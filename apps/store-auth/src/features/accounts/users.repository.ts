import { In } from 'typeorm';
import type { Database, Sql, Transaction } from '@platform/data';
import type { UserRole } from '@platform/contracts';
import { Membership, type MembershipStatus } from './membership.entity';
import type { StoreStatus } from './store.entity';
import { User } from './user.entity';

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly name: string;
  readonly phone?: string;
  readonly locale?: string;
  readonly timezone?: string;
  /** When somebody vouched for the address who may; left out, its owner has to confirm it. */
  readonly emailVerifiedAt?: Date;
}

/** A membership with the state of its store. */
export interface StoreMembership {
  readonly storeId: string;
  readonly role: UserRole;
  readonly teams: string[];
  readonly status: MembershipStatus;
  readonly storeStatus: StoreStatus;
}

/** The user whose credentials were verified, and their version. */
export type Verified = Pick<User, 'id' | 'credentialVersion'>;

/** E-mail addresses name one account regardless of case. */
export const normalisedEmail = (email: string): string => email.trim().toLowerCase();

const COLUMNS: Readonly<Record<keyof User, string>> = {
  ...{ id: 'id', email: 'email', phone: 'phone', name: 'nama', locale: 'locale', timezone: 'timezone' },
  ...{ passwordHash: 'password_hash', emailVerifiedAt: 'email_verified_at', phoneVerifiedAt: 'phone_verified_at' },
  ...{ totpSealed: 'totp_enc', totpPendingSealed: 'totp_pending_enc', status: 'status' },
  ...{ credentialVersion: 'credential_version', lastStoreId: 'last_store_id' },
};
/** Prepared, and without building entities: every login reads its user twice. */
const FIND = `
  SELECT ${Object.entries(COLUMNS)
    .map(([name, column]) => `${column} AS "${name}"`)
    .join(', ')}
  FROM users`;

const found = ([user]: readonly User[]): User | null => user ?? null;

export class UserRepository {
  constructor(private readonly database: Database) {}

  async byEmail(email: string): Promise<User | null> {
    return found(await this.database.prepared('user-by-email', `${FIND} WHERE email = $1`, [normalisedEmail(email)]));
  }

  /** Inside a transaction pass it: a second connection could deadlock with the first. */
  async byId(id: string, sql: Sql = this.database): Promise<User | null> {
    return found(await sql.prepared('user-by-id', `${FIND} WHERE id = $1`, [id]));
  }

  /** Locks the user until the transaction ends: whoever holds or changes the same user waits. */
  async hold(tx: Transaction, id: string): Promise<User | null> {
    return found(await tx.prepared('user-hold', `${FIND} WHERE id = $1 FOR NO KEY UPDATE`, [id]));
  }

  /** As `hold`; undefined when the credentials have changed since they were verified, or the user was disabled. */
  async holdVerified(tx: Transaction, { id, credentialVersion }: Verified): Promise<User | undefined> {
    const user = await this.hold(tx, id);
    return user?.status === 'active' && user.credentialVersion === credentialVersion ? user : undefined;
  }

  /** Voids whatever was verified with the former password, and a second factor that was begun with it. */
  async setPasswordHash(tx: Transaction, id: string, passwordHash: string): Promise<void> {
    await tx.query(
      `UPDATE users SET password_hash = $2, totp_pending_enc = NULL, credential_version = credential_version + 1 WHERE id = $1`,
      [id, passwordHash],
    );
  }

  /** Stores another hash of the same password; does nothing when the password has changed since. */
  async rehash({ id, passwordHash: former }: User, passwordHash: string): Promise<void> {
    await this.database.entities.update(User, { id, passwordHash: former }, { passwordHash });
  }

  /** Challenges and codes end with the credentials that they were issued for. */
  async endProofs(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM challenges WHERE user_id = $1', [id]);
    await tx.query('DELETE FROM verification_codes WHERE user_id = $1 AND used_at IS NULL', [id]);
  }

  /** False when the id or the e-mail is taken; waits for a transaction that is taking it. */
  async insert(sql: Sql, user: NewUser): Promise<boolean> {
    const { id, email, passwordHash, name, phone, locale, timezone, emailVerifiedAt } = user;
    const rows = await sql.query(
      `INSERT INTO users (id, email, password_hash, nama, phone, locale, timezone, email_verified_at)
       VALUES ($1, $2, $3, $4, $5, coalesce($6, 'id'), coalesce($7, 'Asia/Jakarta'), $8)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [
        id,
        normalisedEmail(email),
        passwordHash,
        name,
        phone ?? null,
        locale ?? null,
        timezone ?? null,
        emailVerifiedAt,
      ],
    );
    return rows.length > 0;
  }

  byIds(ids: readonly string[]): Promise<User[]> {
    return this.database.entities.find(User, { where: { id: In([...ids]) }, order: { id: 'ASC' } });
  }

  /** Members of a store in order of their ids, those after `cursor`. */
  ofStore(storeId: string, cursor: string | undefined, limit: number): Promise<User[]> {
    const members = this.database.entities
      .createQueryBuilder(User, 'u')
      .innerJoin(Membership, 'm', 'm.user_id = u.id')
      .where(`m.store_id = :storeId AND m.status <> 'removed'`, { storeId });
    if (cursor !== undefined) members.andWhere('u.id > :cursor', { cursor });
    return members.orderBy('u.id').limit(limit).getMany();
  }

  /** Oldest first. */
  memberships(userId: string, sql: Sql = this.database): Promise<StoreMembership[]> {
    return sql.prepared<StoreMembership>(
      'memberships-of-user',
      `SELECT m.store_id AS "storeId", m.role, m.teams, m.status, s.status AS "storeStatus"
       FROM memberships m JOIN stores s USING (store_id)
       WHERE m.user_id = $1 AND m.status <> 'removed' ORDER BY m.created_at, m.store_id`,
      [userId],
    );
  }

  /**
   * As `memberships`, locked until the transaction ends: whoever changes a team or a store holds the store. Call
   * `hold` before, and lock sessions after.
   */
  async heldMemberships(tx: Transaction, userId: string): Promise<StoreMembership[]> {
    const rows = await tx.prepared<{ store_id: string }>(
      'stores-of-user-hold',
      `SELECT store_id FROM stores s JOIN memberships m USING (store_id)
       WHERE m.user_id = $1 AND m.status <> 'removed' ORDER BY store_id FOR SHARE OF s`,
      [userId],
    );
    const held = new Set(rows.map(({ store_id: storeId }) => storeId));
    return (await this.memberships(userId, tx)).filter(({ storeId }) => held.has(storeId));
  }
}
