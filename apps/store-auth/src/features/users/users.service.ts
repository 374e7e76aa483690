import { isUniqueViolation, type Database, type Transaction } from '@platform/data';
import { Conflict } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { unknownUser } from '../../path-ids';
import type { AuditRepository } from '../audit/audit.repository';
import type { IdentityService } from '../internal/identity.service';
import type { CredentialsService } from '../login/credentials.service';
import type { MembershipService, WantedMembership } from '../members/membership.service';
import type { PasswordService } from '../passwords/password.service';
import type { SessionService } from '../sessions/session.service';
import { User, type UserStatus } from './user.entity';
import { normalisedEmail, type NewUser, type UserRepository } from './users.repository';

export interface UserRequest extends Omit<NewUser, 'passwordHash'> {
  readonly password: string;
  /** A new store of this user's own. */
  readonly store?: { readonly storeId: string; readonly name: string };
  readonly membership?: { readonly storeId: string } & Pick<WantedMembership, 'role' | 'teams'>;
}

export interface UserChange {
  readonly name?: string;
  readonly phone?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly status?: UserStatus;
}

export interface UsersDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly credentials: CredentialsService;
  readonly identity: IdentityService;
  readonly memberships: MembershipService;
  readonly passwordChanges: PasswordService;
  readonly logins: SessionService;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

const NOWHERE = { address: '' };
const EMAIL_CONSTRAINT = 'users_email';
const emailTaken = (): Conflict => new Conflict('email sudah terdaftar', { code: 'email_taken' });

/** The people of the platform, managed by commerce-api. */
export class UsersService {
  constructor(private readonly parts: UsersDependencies) {}

  /**
   * A new user, with his store or membership, all or nothing. The ids are the caller's, so after a crash the same request
   * gives the same user; the repetition has to know the password, or it would be a login by bare user id.
   */
  async create(request: UserRequest): Promise<{ user: User; challenge: string }> {
    const { users, database, passwordChanges, audit } = this.parts;
    const passwordHash = await passwordChanges.prepare(request.password);
    const made = await database.tx(async (tx) => {
      if (!(await users.insert(tx, { ...request, passwordHash }))) return false;
      await this.settle(tx, request);
      await audit.record(tx, { type: 'user_created', userId: request.id });
      return true;
    });
    const user = made ? await this.byId(request.id) : await this.known(request);
    return { user, challenge: await this.parts.identity.challenge(user, NOWHERE) };
  }

  async change(id: string, change: UserChange): Promise<User> {
    await this.parts.database
      .tx((tx) => this.apply(tx, id, change))
      .catch((failure: unknown) => {
        throw isUniqueViolation(failure, EMAIL_CONSTRAINT) ? emailTaken() : failure;
      });
    return this.byId(id);
  }

  private async byId(id: string): Promise<User> {
    const user = await this.parts.users.byId(id);
    if (!user) throw unknownUser();
    return user;
  }

  private async settle(tx: Transaction, { id, store, membership }: UserRequest): Promise<void> {
    const { memberships } = this.parts;
    if (store) await memberships.found(tx, store, id);
    if (!membership) return;
    const { storeId, role, teams } = membership;
    const wanted = { role, teams, status: 'active' as const, updatedAt: this.parts.clock.now() };
    await memberships.place(tx, storeId, id, wanted);
  }

  /** The same request once more, or something is taken. */
  private async known({ id, email, password }: UserRequest): Promise<User> {
    const { users, credentials } = this.parts;
    const user = await users.byId(id);
    if (!user) throw emailTaken();
    const same = user.email === normalisedEmail(email);
    const { state } = same
      ? await credentials.verify({ userId: id, password, visitor: NOWHERE })
      : ({ state: 'refused' } as const);
    if (state === 'refused') throw new Conflict('user_id sudah dipakai', { code: 'user_exists' });
    return user;
  }

  private async apply(tx: Transaction, id: string, change: UserChange): Promise<void> {
    const { users, logins, audit, clock } = this.parts;
    const user = await users.byId(id, tx.entities);
    if (!user) throw unknownUser();
    const values = changedValues(user, change, clock.now());
    await tx.entities.update(User, { id }, values);
    if (values.email !== user.email) await audit.record(tx, { type: 'email_changed', userId: id });
    if (values.status === user.status) return;
    const disabled = values.status === 'disabled';
    await audit.record(tx, { type: disabled ? 'user_disabled' : 'user_enabled', userId: id });
    if (disabled) await logins.revoke(tx, { userId: id });
  }
}

/** What the user is afterwards. A new address or number is not verified because the former one was. */
const changedValues = (user: User, change: UserChange, now: Date) => {
  const { name = user.name, locale = user.locale, timezone = user.timezone, status = user.status } = change;
  const { phone = user.phone, emailVerified: verified } = change;
  const email = normalisedEmail(change.email ?? user.email);
  const kept = email === user.email ? user.emailVerifiedAt : null;
  const emailVerifiedAt = verified === undefined ? kept : verified ? (kept ?? now) : null;
  const phoneVerifiedAt = phone === user.phone ? user.phoneVerifiedAt : null;
  return { name, phone, locale, timezone, status, email, emailVerifiedAt, phoneVerifiedAt };
};
