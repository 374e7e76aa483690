import { sidHashOf } from '@platform/auth';
import type { Transaction } from '@platform/data';
import type { AuditRepository } from '../audit/public';
import type { SessionService } from '../sessions/public';
import type { UserRepository } from '../accounts/public';
import type { SecretHasher } from '@platform/auth/hashing';
import { requireUncommon } from './password-rules';

export interface PasswordChange {
  readonly hash: string;
  readonly type: 'password_changed' | 'password_reset';
  /** The login that stays valid. */
  readonly exceptSid?: string;
}

/** Sets passwords. */
export class PasswordService {
  constructor(
    private readonly passwords: SecretHasher,
    private readonly users: UserRepository,
    private readonly logins: SessionService,
    private readonly audit: AuditRepository,
  ) {}

  /** Hashes a password that is good enough; to be called before a transaction, because it takes time. */
  prepare(password: string): Promise<string> {
    requireUncommon(password);
    return this.passwords.hash(password);
  }

  /**
   * Whoever knew the former password loses the logins (ASVS 7.4.3), and whatever could become one. The caller holds the
   * user, and has checked the proof for the change under that lock.
   */
  async set(tx: Transaction, userId: string, { hash, type, exceptSid }: PasswordChange): Promise<void> {
    await this.users.setPasswordHash(tx, userId, hash);
    await this.users.endProofs(tx, userId);
    await this.logins.revoke(tx, { userId, exceptSidHash: exceptSid && sidHashOf(exceptSid) });
    await this.audit.record(tx, { type, userId });
  }
}
