import type { UserRole } from '@platform/contracts';
import type { Envelope } from '@platform/envelopes';
import { Reply, type Endpoint } from '@platform/http';
import type { SignedIn } from '../../../abilities';
import { endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { DoneAnswer, SwitchStoreBody, TokenOwnerAnswer, TokenReply, type TokenOwner } from './auth.dto';
import type { AuthService } from './auth.service';
import { logoutExamples, refreshExamples, smokeTestExamples, switchStoreExamples } from './session.examples';

const TAG = 'Authentication and user';
const NOT_KEPT = { headers: { 'Cache-Control': 'no-store' } };

const refresh = (auth: AuthService, bare: Envelope) =>
  endpoint({
    post: '/api/refresh',
    summary: 'A new token for the old one, which may have expired',
    description: 'Asked twice within 30 s it answers the same token. 401: the login has ended, sign in again.',
    tag: TAG,
    guard: 'lapsed',
    reply: TokenReply,
    refuses: ['upstreamFailed'],
    envelope: bare,
    // Whose token it is, nobody knows yet
    rate: { requests: 60, perSeconds: 60, by: 'address' },
    examples: refreshExamples,
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
    refuses: [refusals.notAMember, 'upstreamFailed'],
    envelope: bare,
    examples: switchStoreExamples,
    handle: async ({ caller, body }) => new Reply(await auth.switchStore(caller.token, body.store_id), NOT_KEPT),
  });

/** Two paths of the contract for the same action. */
const logout = (auth: AuthService, path: '/api/logout' | '/api/auth/logout') =>
  endpoint({
    post: path,
    summary: 'Ends the login of this token; every service refuses it within seconds',
    tag: TAG,
    guard: 'login',
    reply: DoneAnswer,
    refuses: ['upstreamFailed'],
    examples: logoutExamples,
    handle: async ({ caller }) => {
      await auth.logout(caller);
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
    refuses: [],
    examples: smokeTestExamples,
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
