import { InvalidInput } from '@platform/errors';
import type { IdentityClient, Visitor } from '../../../clients/store-auth.client';
import { refusals } from '../../../refusals';
import type { People } from '../access/public';
import type { LoginBody } from '../auth/public';
import { personOf, type Proved, type SignedInPerson } from './signed.in';

/** Sign-in of browsers: the same proofs as for programs, and a login of the kind that store-auth keeps for browsers. */
export class SignInService {
  constructor(
    private readonly identity: IdentityClient,
    private readonly people: People,
  ) {}

  /** Whether it is the password of the address, confirmed or not. Throws `bad_credentials` and `TooMany`. */
  async demandPassword({ email, password }: LoginBody, visitor: Visitor): Promise<void> {
    if (!(await this.identity.verifyCredentials(email, password, visitor)).valid) throw refusals.badCredentials();
  }

  /** A challenge: the second factor is missing. Throws `bad_credentials`, `email_unverified` and `TooMany`. */
  async signIn({ email, password }: LoginBody, visitor: Visitor): Promise<Proved> {
    const verdict = await this.identity.verifyCredentials(email, password, visitor);
    if (!verdict.valid) throw refusals.badCredentials();
    await this.people.remember(verdict.user);
    if (!verdict.user.email_verified) throw refusals.emailUnverified();
    if (verdict.otp_required) return { challenge: verdict.challenge };
    const grant = await this.identity.redeemChallenge(verdict.challenge, { kind: 'web' });
    if (!grant) throw refusals.badCredentials();
    return personOf(grant);
  }

  /** Throws `InvalidInput` for a wrong code, and `Gone` when the time for it is over. */
  async secondFactor(challenge: string, code: string): Promise<SignedInPerson> {
    const verdict = await this.identity.verifySecondFactor(challenge, code);
    if (verdict === 'wrong') throw new InvalidInput([{ field: 'code', tag: 'wrong', message: 'code is wrong' }]);
    const grant = verdict === 'right' ? await this.identity.redeemChallenge(challenge, { kind: 'web' }) : undefined;
    if (!grant) throw refusals.badCredentials();
    return personOf(grant);
  }
}
