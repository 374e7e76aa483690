import { InvalidInput } from '@platform/errors';
import { Reply } from '@platform/http';
import { endpoint } from '../../endpoint';
import { visitorOf } from '../login/public';
import type { RefreshService } from '../sessions/public';
import { cookieHeaders, type WebSessions } from '../web-sessions/public';
import { CreateTokenBody, MintReply, RefreshBody, type MintedToken } from './mint.dto';
import { createTokenExamples, refreshExamples } from './mint.examples';
import type { MintService } from './mint.service';

const minted = (data: MintedToken) => ({ status: 'success' as const, message: 'token dibuat', data });

/** Undefined: no preview token is requested. */
const previewReferer = ({ purpose, referer }: CreateTokenBody): string | undefined => {
  if (purpose !== 'preview') return undefined;
  if (referer !== undefined) return referer;
  throw new InvalidInput([{ field: 'referer', tag: 'required', message: 'referer is a required field' }]);
};

const createToken = (mint: MintService, browsers: WebSessions) =>
  endpoint({
    post: '/api/create-token',
    summary: 'A new token for the bearer: access, or a preview bound to a referer',
    description:
      'The bearer token may have expired when its refresh token comes along. The e-mail of a browser session is no proof: it is never enough.',
    tag: 'tokens',
    guard: 'lapsed',
    body: CreateTokenBody,
    reply: MintReply,
    refuses: ['tooMany'],
    examples: createTokenExamples,
    handle: async ({ caller, body, address, headers }) => {
      const referer = previewReferer(body);
      const request = { refreshToken: body.refresh_token, previewReferer: referer, ttl: body.ttl };
      const data = await mint.mint(caller, request, visitorOf(address, headers));
      const cookie = referer === undefined ? undefined : await browsers.keep(headers.cookie, { referer });
      return new Reply(minted(data), { headers: cookieHeaders(cookie) });
    },
  });

const refresh = (refreshes: RefreshService) =>
  endpoint({
    post: '/api/refresh-token',
    summary: 'Exchanges a refresh token for an access token and the next refresh token',
    tag: 'tokens',
    guard: 'public',
    body: RefreshBody,
    reply: MintReply,
    refuses: ['unauthenticated', 'tooMany'],
    examples: refreshExamples,
    handle: async ({ body, address, headers }) => {
      const { email, token, refreshToken, expiresIn } = await refreshes.exchange(
        body.refresh_token,
        visitorOf(address, headers),
      );
      return minted({ email, token, refresh_token: refreshToken, expires_in: expiresIn });
    },
  });

export const mintEndpoints = (mint: MintService, refreshes: RefreshService, browsers: WebSessions) => [
  createToken(mint, browsers),
  refresh(refreshes),
];
