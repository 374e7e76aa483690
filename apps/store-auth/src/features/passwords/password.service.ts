import { sidHashOf } from '@platform/auth';
import type { Transaction } from '@platform/data';
import type { AuditRepository } from '../audit/public';
import type { SessionService } from '../sessions/public';
import type { UserRepository } from '../accounts/public';
import type { PasswordHasher } from './password-hasher';
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
    private readonly passwords: PasswordHasher,
    private readonly users: UserRepository,
    private readonly logins: SessionService,
    private readonly audit: AuditRepository,
  ) {}

  /** The hash of a password that is good enough; made before a transaction, because it takes its time. */
  prepare(password: string): Promise<string> {
    requireUncommon(password);
    return this.passwords.hash(password);
  }

  /**
   * Whoever knew the former password loses his logins (ASVS 7.4.3), and what would become one. The user is held by the caller,
   * who has looked at the proof for it under that lock.
   */
  async set(tx: Transaction, userId: string, { hash, type, exceptSid }: PasswordChange): Promise<void> {
    await this.users.setPasswordHash(tx, userId, hash);
    await this.users.endProofs(tx, userId);
    await this.logins.revoke(tx, { userId, exceptSidHash: exceptSid && sidHashOf(exceptSid) });
    await this.audit.record(tx, { type, userId });
  }
}
