import type { UserRole } from '@platform/contracts';
import type { Envelope } from '@platform/envelopes';
import { Reply, type Endpoint, type Example } from '@platform/http';
import type { SignedIn } from '../../../abilities';
import { endpoint } from '../../../endpoint';
import { DoneAnswer, SwitchStoreBody, TokenOwnerAnswer, TokenReply, type TokenOwner } from './auth.dto';
import type { AuthService } from './auth.service';

const TAG = 'Authentication and user';
const NOT_KEPT = { headers: { 'Cache-Control': 'no-store' } };
const next = { access_token: 'the-next-token', token_type: 'Bearer', expires_in: 3600 };

const nobody = (request?: object): Example => ({
  summary: 'no token',
  request,
  status: 401,
  response: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' },
});

const refresh = (auth: AuthService, bare: Envelope) =>
  endpoint({
    post: '/api/refresh',
    summary: 'A new token for the old one, which may have expired',
    description: 'Asked twice within 30 s it answers the same token. 401: the login has ended, sign in again.',
    tag: TAG,
    guard: 'lapsed',
    reply: TokenReply,
    envelope: bare,
    examples: [{ summary: 'refreshed', status: 200, response: next }, nobody()],
    handle: async ({ caller }) => new Reply(await auth.refresh(caller), NOT_KEPT),
  });

const switchStore = (auth: AuthService, bare: Envelope) =>
  endpoint({
    post: '/api/auth/switch-store',
    summary: 'A token for another store of mine',
    tag: TAG,
    guard: 'login',
    body: SwitchStoreBody,
    unknownKeys: 'refuse',
    reply: TokenReply,
    envelope: bare,
    examples: [
      { summary: 'switched', request: { store_id: 'S1' }, status: 200, response: next },
      {
        summary: "somebody else's store",
        request: { store_id: 'S2' },
        status: 403,
        response: { status: 'error', message: 'You are not an active member of this store', code: 'forbidden' },
      },
      nobody({ store_id: 'S1' }),
    ],
    handle: async ({ caller, body }) => new Reply(await auth.switchStore(caller.token, body.store_id), NOT_KEPT),
  });

/** Two paths of the contract for one thing. */
const logout = (auth: AuthService, path: '/api/logout' | '/api/auth/logout') =>
  endpoint({
    post: path,
    summary: 'Ends the login of this token; every service refuses it within seconds',
    tag: TAG,
    guard: 'login',
    reply: DoneAnswer,
    examples: [
      { summary: 'signed out', status: 200, response: { status: 'success', message: 'Logged out', data: null } },
      nobody(),
    ],
    handle: async ({ caller }) => {
      await auth.logout(caller.token);
      return { message: 'Logged out', data: null };
    },
  });

const ownerOf = ({ claims }: SignedIn): TokenOwner => ({
  user_id: claims.sub,
  store_id: claims.store_id,
  role: claims.role as UserRole,
  expires_at: new Date(claims.exp * 1000).toISOString(),
});

const smokeTest = () =>
  endpoint({
    get: '/api/test',
    summary: 'Whether a token works, and whose it is',
    tag: TAG,
    guard: 'login',
    reply: TokenOwnerAnswer,
    examples: [
      {
        summary: 'it works',
        status: 200,
        response: {
          status: 'success',
          message: 'authenticated',
          data: {
            user_id: '0199f7a0-0000-7000-8000-000000000001',
            store_id: 'S1',
            role: 'owner',
            expires_at: '2026-03-01T09:00:00.000Z',
          },
        },
      },
      nobody(),
    ],
    handle: ({ caller }) => ({ message: 'authenticated', data: ownerOf(caller) }),
  });

/** What a login does with its own token. `bare`: the envelope that leaves successes alone. */
export const sessionEndpoints = (auth: AuthService, bare: Envelope): Endpoint[] => [
  refresh(auth, bare),
  smokeTest(),
  logout(auth, '/api/logout'),
  logout(auth, '/api/auth/logout'),
  switchStore(auth, bare),
];
