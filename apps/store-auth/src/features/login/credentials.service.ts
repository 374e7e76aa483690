import type { Database } from '@platform/data';
import type { AuditRepository, Visitor } from '../audit/public';
import type { SecretHasher } from '@platform/auth/hashing';
import type { Attempt, LoginThrottle } from '../throttle/public';
import type { SecondFactor, SecondProof } from '../second-factor/public';
import { normalisedEmail, type User, type UserRepository } from '../accounts/public';
import type { LoginPace } from './login-pace';

export interface Credentials {
  readonly password: string;
  readonly email?: string;
  readonly userId?: string;
  /** The second factor, if it was sent along. */
  readonly proof?: SecondProof;
  readonly visitor: Visitor;
}

/** The user, and the state of the second factor; `refused` names no user. */
export type Verdict =
  { readonly state: 'refused' } | { readonly state: 'accepted' | 'otp_required' | 'otp_invalid'; readonly user: User };

export interface CredentialsDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passwords: SecretHasher;
  readonly throttle: LoginThrottle;
  readonly secondFactor: SecondFactor;
  readonly audit: AuditRepository;
  readonly pace: LoginPace;
}

const REFUSED = { state: 'refused' } as const;

/** Checks passwords and second factors; nothing else does. */
export class CredentialsService {
  constructor(private readonly parts: CredentialsDependencies) {}

  /**
   * Unknown, wrong and disabled are alike in answer, work and time. The second factor is looked at only after a right
   * password. Throws `TooMany` while the account or the address is locked, also for the right password, and when too many
   * checks wait, or when the user has logged in too often.
   */
  async verify(credentials: Credentials): Promise<Verdict> {
    const { visitor, password, proof } = credentials;
    const byId = credentials.userId === undefined ? null : await this.parts.users.byId(credentials.userId);
    const account = byId?.email ?? normalisedEmail(credentials.email ?? credentials.userId ?? '');
    return this.attempted(account, visitor, async (attempt) => {
      const found = byId ?? (credentials.email === undefined ? null : await this.parts.users.byEmail(account));
      const matches = await this.parts.passwords.matches(found?.passwordHash, password);
      if (!found || !matches || found.status !== 'active') {
        await this.refused('login_failed', found, visitor, attempt);
        return REFUSED;
      }
      await this.parts.pace.demandRest(found.id);
      await this.strengthen(found, password);
      if (!found.totpSealed || proof) return this.second(found, proof, visitor, attempt);
      // Neither a failure nor the end of the count: guesses at the code that follows go on being counted
      await attempt.withdrawn();
      return { state: 'otp_required', user: found };
    });
  }

  /** Checks the second factor of somebody who has passed the password check. */
  async verifySecond(user: User, proof: SecondProof, visitor: Visitor): Promise<boolean> {
    const { state } = await this.attempted(user.email, visitor, (attempt) =>
      this.second(user, proof, visitor, attempt),
    );
    return state === 'accepted';
  }

  private async attempted(
    account: string,
    visitor: Visitor,
    work: (attempt: Attempt) => Promise<Verdict>,
  ): Promise<Verdict> {
    const attempt = await this.parts.throttle.admit(account, visitor.address);
    try {
      return await work(attempt);
    } catch (failure) {
      await attempt.withdrawn();
      throw failure;
    }
  }

  private async second(
    user: User,
    proof: SecondProof | undefined,
    visitor: Visitor,
    attempt: Attempt,
  ): Promise<Verdict> {
    const { secondFactor, database, audit } = this.parts;
    if (proof && user.totpSealed && !(await secondFactor.accepts(database, user, proof))) {
      await this.refused('otp_failed', user, visitor, attempt);
      return { state: 'otp_invalid', user };
    }
    if (proof && user.totpSealed && 'recoveryCode' in proof)
      await audit.record(database, { type: 'recovery_code_used', userId: user.id, visitor });
    await attempt.succeeded();
    return { state: 'accepted', user };
  }

  /** The parameters have grown since the hash was made: rehash while the password is at hand. */
  private async strengthen(user: User, password: string): Promise<void> {
    if (!this.parts.passwords.isWeak(user.passwordHash)) return;
    await this.parts.users.rehash(user, await this.parts.passwords.hash(password));
  }

  private async refused(
    type: 'login_failed' | 'otp_failed',
    found: User | null,
    visitor: Visitor,
    attempt: Attempt,
  ): Promise<void> {
    const { audit, database } = this.parts;
    await audit.record(database, { type, userId: found?.id, visitor });
    if (attempt.lockedAccount) await audit.record(database, { type: 'account_locked', userId: found?.id, visitor });
  }
}
