import { plainAddress } from '@platform/auth';
import { InvalidInput } from '@platform/errors';
import { endpoint } from '../../endpoint';
import type { SessionGrant } from '../sessions/session.service';
import {
  TokenGrantBody,
  TokenGrantReply,
  VerifyCredentialsBody,
  VerifyCredentialsReply,
  type TokenGrant,
} from './identity.dto';
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
  endpoint({
    post: '/internal/verify-credentials',
    summary: 'Checks a password for a sibling service; same limits and timing as the login',
    tag: 'internal',
    internal: true,
    guard: 'identity',
    body: VerifyCredentialsBody,
    reply: VerifyCredentialsReply,
    examples: [
      {
        summary: 'unknown, wrong or disabled',
        request: { email: 'nobody@toko-nusa.example', password: 'wrong', ip: '203.0.113.7' },
        status: 200,
        response: { status: 'success', message: 'kredensial diperiksa', data: { valid: false } },
      },
    ],
    handle: async ({ body: { email, user_id: userId, password, ip, user_agent: userAgent } }) => {
      const visitor = { address: addressOf(ip), userAgent };
      const data = await identity.verify({ email, userId, password, visitor });
      return { status: 'success' as const, message: 'kredensial diperiksa', data };
    },
  });

const tokens = (identity: IdentityService) =>
  endpoint({
    post: '/internal/tokens',
    summary: 'Tokens for somebody whose password was just checked',
    tag: 'internal',
    internal: true,
    guard: 'identity',
    body: TokenGrantBody,
    reply: TokenGrantReply,
    examples: [
      {
        summary: 'unknown, used or expired challenge',
        request: { grant: 'challenge', challenge: 'no such challenge' },
        status: 401,
        response: { status: 'error', message: 'challenge tidak berlaku', code: 'challenge_invalid' },
      },
    ],
    handle: async ({ body: { challenge, store_id: storeId, kind = 'jwt' } }) => ({
      status: 'success' as const,
      message: 'token dibuat',
      data: grantView(await identity.redeem(challenge, { storeId, kind })),
    }),
  });

export const identityEndpoints = (identity: IdentityService) => [verifyCredentials(identity), tokens(identity)];
