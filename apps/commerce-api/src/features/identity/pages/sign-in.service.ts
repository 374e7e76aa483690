import { InvalidInput } from '@platform/errors';
import type { AccessGrant, IdentityClient, Visitor } from '../../../clients/store-auth.client';
import { refusals } from '../../../refusals';
import type { People } from '../access/public';
import type { LoginBody } from '../auth/public';

/** Somebody who has proved who they are. */
export interface SignedInPerson {
  readonly grant: AccessGrant;
  readonly userId: string;
  readonly storeId: string;
}

/** What is said in a token, which store-auth has just made for us. */
const claimsOf = ({ access_token: token }: AccessGrant): { readonly sub: string; readonly store_id: string } => {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; store_id: string };
};

const person = (grant: AccessGrant): SignedInPerson => {
  const { sub, store_id } = claimsOf(grant);
  return { grant, userId: sub, storeId: store_id };
};

/** Sign-in of browsers: the same proofs as for programs, and a login of the kind that store-auth keeps for browsers. */
export class SignInService {
  constructor(
    private readonly identity: IdentityClient,
    private readonly people: People,
  ) {}

  /** A challenge: the second factor is missing. Throws `bad_credentials`, `email_unverified` and `TooMany`. */
  async signIn(
    { email, password }: LoginBody,
    visitor: Visitor,
  ): Promise<SignedInPerson | { readonly challenge: string; readonly locale: string }> {
    const verdict = await this.identity.verifyCredentials(email, password, visitor);
    if (!verdict.valid) throw refusals.badCredentials();
    await this.people.remember(verdict.user);
    if (!verdict.user.email_verified) throw refusals.emailUnverified();
    if (verdict.otp_required) return { challenge: verdict.challenge, locale: verdict.user.locale };
    const grant = await this.identity.redeemChallenge(verdict.challenge, { kind: 'web' });
    if (!grant) throw refusals.badCredentials();
    return person(grant);
  }

  /** Throws `InvalidInput` for a wrong code, and `Gone` when the time for it is over. */
  async secondFactor(challenge: string, code: string): Promise<SignedInPerson> {
    const verdict = await this.identity.verifySecondFactor(challenge, code);
    if (verdict === 'wrong') throw new InvalidInput([{ field: 'code', tag: 'wrong', message: 'code is wrong' }]);
    const grant = verdict === 'right' ? await this.identity.redeemChallenge(challenge, { kind: 'web' }) : undefined;
    if (!grant) throw refusals.badCredentials();
    return person(grant);
  }
}
