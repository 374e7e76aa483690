import { plainAddress } from '@platform/auth';
import { InvalidInput, Unauthenticated } from '@platform/errors';
import { internalEndpoint } from '../../endpoint';
import { success } from '../../success';
import { refusals } from '../../refusals';
import type { SessionGrant } from '../sessions/public';
import { secondProof } from '../two-factor/public';
import type { GrantService } from './grant.service';
import {
  TokenGrantBody,
  TokenGrantReply,
  VerifyCredentialsBody,
  VerifyCredentialsReply,
  VerifyOtpBody,
  VerifyOtpReply,
  type TokenGrant,
} from './identity.dto';
import { tokensExamples, verifyCredentialsExamples, verifyOtpExamples } from './identity.examples';
import type { IdentityService } from './identity.service';

const addressOf = (ip: string): string => {
  const address = plainAddress(ip);
  if (address) return address;
  throw new InvalidInput([{ field: 'ip', tag: 'ip', message: 'ip must be a valid IP address' }]);
};

const grantView = (grant: SessionGrant): TokenGrant => ({
  access_token: grant.accessToken,
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  refresh_token: grant.refreshToken,
  sid: grant.sid,
  store_id: grant.storeId,
  role: grant.role,
});

const verifyCredentials = (identity: IdentityService) =>
  internalEndpoint({
    post: '/internal/verify-credentials',
    summary: 'Checks a password for a sibling service; same limits and timing as the login',
    guard: 'identity',
    body: VerifyCredentialsBody,
    reply: VerifyCredentialsReply,
    refuses: ['tooMany'],
    examples: verifyCredentialsExamples,
    handle: async ({ body: { email, user_id: userId, password, ip, user_agent: userAgent } }) => {
      const visitor = { address: addressOf(ip), userAgent };
      const data = await identity.verify({ email, userId, password, visitor });
      return success('kredensial diperiksa', data);
    },
  });

const verifyOtp = (identity: IdentityService) =>
  internalEndpoint({
    post: '/internal/verify-otp',
    summary: 'The second factor to a challenge; the challenge is good for tokens afterwards',
    guard: 'identity',
    body: VerifyOtpBody,
    reply: VerifyOtpReply,
    refuses: [refusals.challengeInvalid, 'tooMany'],
    examples: verifyOtpExamples,
    handle: async ({ body }) =>
      success('kode diperiksa', await identity.verifySecond(body.challenge, secondProof(body))),
  });

const needed = <Value>(field: string, value: Value | undefined): Value => {
  if (value !== undefined) return value;
  throw new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);
};

const granted = (identity: IdentityService, grants: GrantService, body: TokenGrantBody): Promise<SessionGrant> => {
  const { grant, challenge, token, sid, store_id: storeId, kind = 'jwt' } = body;
  if (grant === 'challenge') return identity.redeem(needed('challenge', challenge), { storeId, kind });
  if (grant === 'refresh') return grants.refresh(needed('token', token));
  const proof = sid === undefined ? { token: needed('token', token) } : { sid };
  return grants.switchStore(proof, needed('store_id', storeId));
};

/** A 401 without a code is about the calling service's token; one about the user has a code, so that a sibling can tell them apart. */
const sessionEnded = (failure: unknown): never => {
  if (failure instanceof Unauthenticated) throw refusals.sessionEnded(failure);
  throw failure;
};

const tokens = (identity: IdentityService, grants: GrantService) =>
  internalEndpoint({
    post: '/internal/tokens',
    summary: 'Tokens for a challenge, for another store of a login, or for an access token that has expired',
    guard: 'identity',
    body: TokenGrantBody,
    reply: TokenGrantReply,
    refuses: [
      refusals.challengeInvalid,
      refusals.notAMember,
      refusals.sessionEnded,
      refusals.storeSuspended,
      'tooMany',
    ],
    examples: tokensExamples,
    handle: async ({ body }) =>
      success('token dibuat', grantView(await granted(identity, grants, body).catch(sessionEnded))),
  });

export const identityEndpoints = (identity: IdentityService, grants: GrantService) => [
  verifyCredentials(identity),
  verifyOtp(identity),
  tokens(identity, grants),
];
