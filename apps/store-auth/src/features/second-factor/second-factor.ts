import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { hashOf } from '../issuing/public';
import type { User } from '../accounts/public';
import type { SecondFactorRepository } from './second-factor.repository';
import { base32, totpStep } from './totp';

/** The proof beside the password: a code of the authenticator, or a recovery code. */
export type SecondProof = { readonly otp: string } | { readonly recoveryCode: string };

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

export const totpPurpose = (userId: string): string => `users.totp ${userId}`;

const recoveryHash = (code: string): string => hashOf(code.replace(/[\s-]/g, '').toUpperCase());

/** Ten codes of 80 bits, in groups of four letters; only their hashes are stored. */
export const newRecoveryCodes = (): { readonly codes: string[]; readonly hashes: string[] } => {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replace(/(.{4})(?=.)/g, '$1-'),
  );
  return { codes, hashes: codes.map(recoveryHash) };
};

/** Checks second factors. Every code is valid once (design 3.3). */
export class SecondFactor {
  constructor(
    private readonly repository: SecondFactorRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Uses the proof up. False when it is wrong or was used, or when the user has no second factor. */
  async accepts(sql: Sql, user: User, proof: SecondProof): Promise<boolean> {
    const { id, totpSealed } = user;
    if (!totpSealed) return false;
    if ('recoveryCode' in proof) return this.repository.useRecoveryCode(sql, id, recoveryHash(proof.recoveryCode));
    const step = this.stepOf(id, totpSealed, proof.otp);
    return step !== undefined && (await this.repository.useStep(sql, user, step));
  }

  /** The time step of a code that matches the sealed secret. */
  stepOf(userId: string, sealed: string, code: string): number | undefined {
    return totpStep(this.box.open(sealed, totpPurpose(userId)), code, this.clock.now());
  }
}

/** The login has one field for both: six digits are the authenticator's code. */
export const proofOf = (text: string): SecondProof => {
  const plain = text.trim();
  return /^\d{6}$/.test(plain) ? { otp: plain } : { recoveryCode: plain };
};
