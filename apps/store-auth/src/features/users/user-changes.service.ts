import { isUniqueViolation, type Database, type Transaction } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { refusals } from '../../refusals';
import type { AuditRepository } from '../audit/public';
import type { SessionService } from '../sessions/public';
import { User, normalisedEmail, type UserStatus, type UserRepository } from '../accounts/public';

export interface UserChange {
  readonly name?: string;
  /** Null: none from now on. */
  readonly phone?: string | null;
  readonly locale?: string;
  readonly timezone?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly status?: UserStatus;
}

export interface UserChangesDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly logins: SessionService;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

const EMAIL_CONSTRAINT = 'users_email';

/** Changes to a user's own fields; disabling a user ends the user's logins. */
export class UserChangesService {
  constructor(private readonly parts: UserChangesDependencies) {}

  async change(id: string, change: UserChange): Promise<User> {
    await this.parts.database
      .tx((tx) => this.apply(tx, id, change))
      .catch((failure: unknown) => {
        throw isUniqueViolation(failure, EMAIL_CONSTRAINT) ? refusals.emailTaken() : failure;
      });
    const user = await this.parts.users.byId(id);
    if (!user) throw refusals.userNotFound();
    return user;
  }

  private async apply(tx: Transaction, id: string, change: UserChange): Promise<void> {
    const { users, logins, audit, clock } = this.parts;
    const user = await users.hold(tx, id);
    if (!user) throw refusals.userNotFound();
    const values = changedValues(user, change, clock.now());
    await tx.entities.update(User, { id }, values);
    if (values.email !== user.email) await audit.record(tx, { type: 'email_changed', userId: id });
    if (values.status === user.status) return;
    const disabled = values.status === 'disabled';
    await audit.record(tx, { type: disabled ? 'user_disabled' : 'user_enabled', userId: id });
    if (!disabled) return;
    await users.endProofs(tx, id);
    await logins.revoke(tx, { userId: id });
  }
}

/** The user's fields afterwards. A new address or number is unverified, even when the former one was verified. */
const changedValues = (user: User, change: UserChange, now: Date) => {
  const { name = user.name, locale = user.locale, timezone = user.timezone, status = user.status } = change;
  const { phone = user.phone, emailVerified: verified } = change;
  const email = normalisedEmail(change.email ?? user.email);
  const kept = email === user.email ? user.emailVerifiedAt : null;
  const emailVerifiedAt = verified === undefined ? kept : verified ? (kept ?? now) : null;
  const phoneVerifiedAt = phone === user.phone ? user.phoneVerifiedAt : null;
  const credentialVersion = user.credentialVersion + (status === user.status ? 0 : 1);
  return { name, phone, locale, timezone, status, credentialVersion, email, emailVerifiedAt, phoneVerifiedAt };
};
