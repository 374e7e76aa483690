import { randomInt } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
import type { Database, Transaction } from '@platform/data';
import { isUuid, uuidv7, type Clock } from '@platform/runtime';
import { refusals } from '../../refusals';
import type { AuditRepository } from '../audit/public';
import type { PasswordService } from '../passwords/public';
import { hashOf } from '../issuing/public';
import { User, normalisedEmail, type UserRepository } from '../accounts/public';
import type { SecondFactorRepository } from '../second-factor/public';
import type { CodePurpose, VerificationCodeRepository } from './verification-code.repository';

const MINUTE = 60;
const LIFE_SECONDS: Readonly<Record<CodePurpose, number>> = {
  phone: 10 * MINUTE,
  reset_password: 60 * MINUTE,
  verify_email: 24 * 60 * MINUTE,
  invite: 7 * 24 * 60 * MINUTE,
};
/** Easy to type, and none easily taken for another. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LETTER_COUNT = 10;

export interface IssuedCode {
  readonly code_id: string;
  readonly code: string;
  readonly expires_in: number;
  /** False: there is nobody to send it to, but the caller answers its user as if there were. */
  readonly deliver: boolean;
}

export interface GivenCode {
  readonly id: string;
  readonly code: string;
  readonly purpose: CodePurpose;
}

export interface VerificationDependencies {
  readonly database: Database;
  readonly codes: VerificationCodeRepository;
  readonly users: UserRepository;
  readonly passwordChanges: PasswordService;
  readonly secondFactors: SecondFactorRepository;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

/** Phones show digits well, and ten minutes with five tries leave little to guess; links and mails carry 49 bits. */
const newCode = (purpose: CodePurpose): string =>
  purpose === 'phone'
    ? String(randomInt(1_000_000)).padStart(6, '0')
    : Array.from({ length: LETTER_COUNT }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const codeHash = (id: string, code: string): string => hashOf(`${id}.${code.trim().toUpperCase()}`);

/** `code_id.code`, as in links. */
export const splitToken = (token: string): { id: string; code: string } => {
  const [id = '', code = ''] = token.split('.');
  return { id, code };
};

/** Codes that prove an e-mail or a phone number; the calling service delivers them. */
export class VerificationService {
  constructor(private readonly parts: VerificationDependencies) {}

  /** The same work whether or not somebody has this e-mail. */
  async issue(who: { email?: string; userId?: string }, purpose: CodePurpose): Promise<IssuedCode> {
    const { users, codes, database, clock } = this.parts;
    const found = who.userId === undefined ? await users.byEmail(who.email ?? '') : await users.byId(who.userId);
    const user = found?.status === 'active' ? found : undefined;
    const target = user && (purpose === 'phone' ? user.phone : user.email);
    const [id, code, now] = [uuidv7(), newCode(purpose), clock.now()];
    const subject = target ?? normalisedEmail(who.email ?? `${who.userId} has no ${purpose}`);
    const expiresAt = new Date(now.getTime() + LIFE_SECONDS[purpose] * 1000);
    const userId = target ? user?.id : undefined;
    await codes.insert(database, { id, userId, subject, purpose, hash: codeHash(id, code), expiresAt }, now);
    return { code_id: id, code, expires_in: LIFE_SECONDS[purpose], deliver: userId !== undefined };
  }

  /** Uses up a code and does what it was for; a reset needs `password`. Throws `Rejected` when it is not valid. */
  async consume(given: GivenCode, password: string | undefined): Promise<string> {
    const hash = password === undefined ? undefined : await this.parts.passwordChanges.prepare(password);
    const userId = await this.parts.database.tx(async (tx) => {
      const user = await this.redeem(tx, given);
      if (user) await this.fulfil(tx, user, given.purpose, hash);
      return user?.id;
    });
    if (userId === undefined) throw refusals.codeInvalid();
    return userId;
  }

  /** As `consume` for a reset, only for a code of this user; one login may go on. */
  async resetWithCode(userId: string, token: string, change: { hash: string; exceptSid?: string }): Promise<void> {
    const done = await this.parts.database.tx(async (tx) => {
      const user = await this.redeem(tx, { ...splitToken(token), purpose: 'reset_password' });
      if (user?.id !== userId) return false;
      await this.reset(tx, user, change);
      return true;
    });
    if (!done) throw refusals.codeInvalid();
  }

  /** The user that a valid code belongs to. Undefined, and one try less, when it is wrong: so it must not throw. */
  private async redeem(tx: Transaction, { id, code, purpose }: GivenCode): Promise<User | undefined> {
    const { codes, users, clock } = this.parts;
    if (!isUuid(id)) return undefined;
    // Locks the user first, like everything that ends codes
    const owner = await codes.ownerOf(tx, id);
    const user = owner === undefined ? null : await users.hold(tx, owner);
    const tried = await codes.try(tx, id, purpose, clock.now());
    if (!tried?.userId || !equalSecrets(tried.hash, codeHash(id, code))) return undefined;
    const subject = purpose === 'phone' ? user?.phone : user?.email;
    // Sent to an address that is no longer the user's, it proves nothing
    if (user?.status !== 'active' || subject !== tried.subject) return undefined;
    await codes.use(tx, id, clock.now());
    return user;
  }

  private async fulfil(tx: Transaction, user: User, purpose: CodePurpose, hash: string | undefined): Promise<void> {
    const { audit, clock } = this.parts;
    const { id: userId } = user;
    if (purpose === 'phone') {
      await tx.entities.update(User, { id: userId }, { phoneVerifiedAt: clock.now() });
      return audit.record(tx, { type: 'phone_verified', userId });
    }
    if (hash !== undefined && purpose !== 'verify_email') await this.reset(tx, user, { hash });
    else await this.verified(tx, user);
  }

  /** Whoever has the code can read the mail that it was sent to. */
  private async verified(tx: Transaction, { id: userId, emailVerifiedAt }: User): Promise<void> {
    if (emailVerifiedAt) return;
    const { audit, clock } = this.parts;
    await tx.entities.update(User, { id: userId }, { emailVerifiedAt: clock.now() });
    await audit.record(tx, { type: 'email_verified', userId });
  }

  /**
   * Until now nobody had proved the address: the second factor then is whoever's that registered it. Not where the address was changed:
   * the one before may have been proved, and whoever changed it shall not get rid of the second factor so.
   */
  private async reset(tx: Transaction, user: User, change: { hash: string; exceptSid?: string }): Promise<void> {
    const { secondFactors, passwordChanges, audit } = this.parts;
    const isFirst = !user.emailVerifiedAt && !(await audit.knows(tx, user.id, 'email_changed'));
    if (isFirst && (await secondFactors.turnOff(tx, user)))
      await audit.record(tx, { type: 'two_factor_off', userId: user.id });
    await this.verified(tx, user);
    await passwordChanges.set(tx, user, { ...change, type: 'password_reset' });
  }
}
