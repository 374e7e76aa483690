import type { Database } from '@platform/data';
import type { AuditRepository, Visitor } from '../audit/audit.repository';
import type { PasswordHasher } from '../passwords/password-hasher';
import type { Attempt, LoginThrottle } from '../throttle/throttle.service';
import type { User } from '../users/user.entity';
import { normalisedEmail, type UserRepository } from '../users/users.repository';

export interface Credentials {
  readonly password: string;
  readonly email?: string;
  readonly userId?: string;
  readonly visitor: Visitor;
}

export interface CredentialsDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passwords: PasswordHasher;
  readonly throttle: LoginThrottle;
  readonly audit: AuditRepository;
}

/** Whose password is this? The one place that looks at passwords. */
export class CredentialsService {
  constructor(private readonly parts: CredentialsDependencies) {}

  /**
   * The user, or nothing: unknown, wrong and disabled are alike in answer, work and time. Throws `TooMany` while the account
   * or the address is locked, also for the right password, and when too many checks wait.
   */
  async verify(credentials: Credentials): Promise<User | undefined> {
    const { visitor, password } = credentials;
    const byId = credentials.userId === undefined ? null : await this.parts.users.byId(credentials.userId);
    const account = byId?.email ?? normalisedEmail(credentials.email ?? credentials.userId ?? '');
    const attempt = await this.parts.throttle.admit(account, visitor.address);
    try {
      const found = byId ?? (credentials.email === undefined ? null : await this.parts.users.byEmail(account));
      const matches = await this.parts.passwords.matches(found?.passwordHash, password);
      if (found && matches && found.status === 'active') return await this.accepted(found, password, attempt);
      await this.refused(found, visitor, attempt);
      return undefined;
    } catch (failure) {
      await attempt.withdrawn();
      throw failure;
    }
  }

  private async accepted(user: User, password: string, attempt: Attempt): Promise<User> {
    await attempt.succeeded();
    if (this.parts.passwords.isWeak(user.passwordHash))
      await this.parts.users.setPasswordHash(user.id, await this.parts.passwords.hash(password));
    return user;
  }

  private async refused(found: User | null, visitor: Visitor, attempt: Attempt): Promise<void> {
    const { audit, database } = this.parts;
    await audit.record(database, { type: 'login_failed', userId: found?.id, visitor });
    if (attempt.lockedAccount) await audit.record(database, { type: 'account_locked', userId: found?.id, visitor });
  }
}
