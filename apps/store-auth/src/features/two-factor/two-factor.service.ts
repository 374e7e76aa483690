import type { SecretBox } from '@platform/auth';
import type { Database } from '@platform/data';
import { refusals } from '../../refusals';
import type { AuditRepository } from '../audit/public';
import type { CredentialsService } from '../login/public';
import type { User, UserRepository } from '../accounts/public';
import {
  newRecoveryCodes,
  totpPurpose,
  newTotpSecret,
  otpauthUrl,
  type SecondFactor,
  type SecondProof,
  type SecondFactorRepository,
} from '../second-factor/public';

export interface TwoFactorDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly credentials: CredentialsService;
  readonly secondFactors: SecondFactorRepository;
  readonly secondFactor: SecondFactor;
  readonly audit: AuditRepository;
  readonly box: SecretBox;
}

const ISSUER = 'Nusa';

/** Turns the second factor on and off for a user whom commerce-api has logged in. */
export class TwoFactorService {
  constructor(private readonly parts: TwoFactorDependencies) {}

  /** Creates a secret that counts once a code of it was shown. Beginning again replaces it. */
  async begin(userId: string, password: string): Promise<{ secret: string; otpauth_url: string }> {
    const { credentials, secondFactors, database, box } = this.parts;
    if ((await this.user(userId)).totpSealed) throw refusals.twoFactorOn();
    const verdict = await credentials.verify({ userId, password, visitor: { address: '' } });
    if (verdict.state === 'refused') throw refusals.passwordInvalid();
    const secret = newTotpSecret();
    const begun = await secondFactors.begin(database, verdict.user, box.seal(secret, totpPurpose(userId)));
    if (!begun) throw refusals.passwordInvalid();
    return { secret, otpauth_url: otpauthUrl(ISSUER, verdict.user.email, secret) };
  }

  /** Turns it on and resolves to the recovery codes, which cannot be shown again. */
  async confirm(userId: string, otp: string): Promise<string[]> {
    const { secondFactor, secondFactors, database, audit } = this.parts;
    const { totpPendingSealed: pending } = await this.user(userId);
    if (!pending) throw refusals.twoFactorNotBegun();
    const step = secondFactor.stepOf(userId, pending, otp);
    if (step === undefined) throw refusals.otpInvalid();
    const { codes, hashes } = newRecoveryCodes();
    await database.tx(async (tx) => {
      if (!(await secondFactors.turnOn(tx, userId, pending, { step, recoveryHashes: hashes })))
        throw refusals.twoFactorOn();
      await audit.record(tx, { type: 'two_factor_on', userId });
    });
    return codes;
  }

  async turnOff(userId: string, proof: SecondProof): Promise<void> {
    const { credentials, secondFactors, database, audit } = this.parts;
    const user = await this.user(userId);
    if (!user.totpSealed) throw refusals.twoFactorOff();
    if (!(await credentials.verifySecond(user, proof, { address: '' }))) throw refusals.otpInvalid();
    await database.tx(async (tx) => {
      if (!(await secondFactors.turnOff(tx, user))) throw refusals.twoFactorOff();
      await audit.record(tx, { type: 'two_factor_off', userId });
    });
  }

  private async user(userId: string): Promise<User> {
    const user = await this.parts.users.byId(userId);
    if (!user) throw refusals.userNotFound();
    return user;
  }
}
