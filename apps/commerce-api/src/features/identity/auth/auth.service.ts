import { InvalidInput, Unauthenticated } from '@platform/errors';
import type { SignedIn } from '../../../abilities';
import type { AccessGrant, IdentityClient, Visitor } from '../../../clients/store-auth.client';
import { refusals } from '../../../refusals';
import type { People } from '../access/public';
import type { LoginBody, SecondFactorNeeded, TokenReply, TwoFactorBody } from './auth.dto';

/** Lifetime of a challenge at store-auth. */
export const CHALLENGE_SECONDS = 300;

export const tokenReply = (grant: AccessGrant): TokenReply => ({
  access_token: grant.access_token,
  token_type: 'Bearer',
  expires_in: grant.expires_in,
});

const refused = (field: string, message: string) => new InvalidInput([{ field, tag: 'invalid', message }]);

/** The client signs out and asks for the password again (contract, section C, token refresh). */
const sessionEnded = () => new Unauthenticated({ reason: 'invalid' });

/** Sign-in for clients of the API. Passwords and tokens are store-auth's; this decides only who is let through. */
export class AuthService {
  constructor(
    private readonly identity: IdentityClient,
    private readonly people: People,
  ) {}

  async login({ email, password, device_name }: LoginBody, visitor: Visitor): Promise<TokenReply | SecondFactorNeeded> {
    const userAgent = device_name ?? visitor.userAgent;
    const verdict = await this.identity.verifyCredentials(email, password, { ...visitor, userAgent });
    if (!verdict.valid) throw refusals.badCredentials();
    await this.people.remember(verdict.user);
    if (!verdict.user.email_verified) throw refusals.emailUnverified();
    if (verdict.otp_required) return { two_factor: true, challenge: verdict.challenge, expires_in: CHALLENGE_SECONDS };
    const grant = await this.identity.redeemChallenge(verdict.challenge);
    if (!grant) throw refusals.badCredentials();
    return tokenReply(grant);
  }

  /** Ends a login that the second factor interrupted. A 401 would send clients into the refresh flow, so it is 422. */
  async secondFactor({ challenge, code }: TwoFactorBody): Promise<TokenReply> {
    const verdict = await this.identity.verifySecondFactor(challenge, code);
    if (verdict === 'wrong') throw refused('code', 'code is wrong');
    const grant = verdict === 'right' ? await this.identity.redeemChallenge(challenge) : undefined;
    if (!grant) throw refused('challenge', 'challenge has expired, sign in again');
    return tokenReply(grant);
  }

  /** Exchanges a token, expired or not, for its successor; parallel callers get the same one (store-auth design 3.2). */
  async refresh(token: string): Promise<TokenReply> {
    const grant = await this.identity.refresh(token);
    if (!grant) throw sessionEnded();
    return tokenReply(grant);
  }

  async switchStore(token: string, storeId: string): Promise<TokenReply> {
    const grant = await this.identity.switchStore(token, storeId);
    if (!grant) throw sessionEnded();
    if (grant === 'not_a_member') throw refusals.notAMember();
    return tokenReply(grant);
  }

  async logout({ token, claims: { sub: userId, sid } }: SignedIn): Promise<void> {
    await this.identity.revoke(token).finally(() => this.people.signedOut({ userId, sid }));
  }
}
