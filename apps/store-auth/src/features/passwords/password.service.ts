import { sidHashOf } from '@platform/auth';
import type { Transaction } from '@platform/data';
import type { AuditRepository } from '../audit/public';
import type { SessionService } from '../sessions/public';
import type { User, UserRepository } from '../accounts/public';
import type { LoginThrottle } from '../throttle/public';
import type { SecretHasher } from '@platform/auth/hashing';
import { requireUncommon } from './password-rules';

export interface PasswordChange {
  readonly hash: string;
  readonly type: 'password_changed' | 'password_reset';
  /** The login that stays valid. */
  readonly exceptSid?: string;
}

export interface PasswordParts {
  readonly passwords: SecretHasher;
  readonly users: UserRepository;
  readonly logins: SessionService;
  readonly throttle: LoginThrottle;
  readonly audit: AuditRepository;
}

/** Sets passwords. */
export class PasswordService {
  constructor(private readonly parts: PasswordParts) {}

  /** Hashes a password that is good enough; to be called before a transaction, because it takes time. */
  prepare(password: string): Promise<string> {
    requireUncommon(password);
    return this.parts.passwords.hash(password);
  }

  /**
   * Whoever knew the former password loses the logins (ASVS 7.4.3), and whatever could become one. The caller holds the
   * user, and has checked the proof for the change under that lock.
   */
  async set(
    tx: Transaction,
    user: Pick<User, 'id' | 'email'>,
    { hash, type, exceptSid }: PasswordChange,
  ): Promise<void> {
    const { users, logins, throttle, audit } = this.parts;
    const { id: userId, email } = user;
    await users.setPasswordHash(tx, userId, hash);
    await users.endProofs(tx, userId);
    // Whose guesses have locked the account, they were at the former password
    await throttle.forget({ email }, tx);
    await logins.revoke(tx, { userId, exceptSidHash: exceptSid && sidHashOf(exceptSid) });
    await audit.record(tx, { type, userId });
  }
}
