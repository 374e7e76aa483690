import { Forbidden, Unauthenticated } from '@platform/errors';
import type { IdentityClient, Visitor } from '../../../clients/store-auth.client';
import type { LoginBody, SecondFactorNeeded, TokenReply } from './auth.dto';

/** Life of a challenge at store-auth. */
const CHALLENGE_SECONDS = 300;

/** One text for unknown, wrong and disabled, so that nobody learns which addresses have an account. */
const badCredentials = () =>
  new Unauthenticated({ reason: 'invalid', message: 'Email or password is wrong', code: 'bad_credentials' });

/** Sign-in for clients of the API. Passwords and tokens are store-auth's; here is only who is let through. */
export class AuthService {
  constructor(private readonly identity: IdentityClient) {}

  async login({ email, password, device_name }: LoginBody, visitor: Visitor): Promise<TokenReply | SecondFactorNeeded> {
    const userAgent = device_name ?? visitor.userAgent;
    const verdict = await this.identity.verifyCredentials(email, password, { ...visitor, userAgent });
    if (!verdict.valid) throw badCredentials();
    if (!verdict.user.email_verified)
      throw new Forbidden('Confirm your email address first', { code: 'email_unverified' });
    if (verdict.otp_required) return { two_factor: true, challenge: verdict.challenge, expires_in: CHALLENGE_SECONDS };
    const grant = await this.identity.redeemChallenge(verdict.challenge);
    if (!grant) throw badCredentials();
    return { access_token: grant.access_token, token_type: 'Bearer', expires_in: grant.expires_in };
  }
}
