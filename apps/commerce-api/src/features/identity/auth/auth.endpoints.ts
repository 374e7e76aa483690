import type { Envelope } from '@platform/envelopes';
import { oneOf, Reply, type Endpoint } from '@platform/http';
import { cut } from '@platform/runtime';
import { endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { LoginBody, SecondFactorNeeded, TokenReply, TwoFactorBody } from './auth.dto';
import { loginExamples, twoFactorExamples } from './auth.examples';
import type { AuthService } from './auth.service';

/** Characters; store-auth stores no more. */
const USER_AGENT_LIMIT = 1024;
const TAG = 'Authentication and user';
const NOT_KEPT = { headers: { 'Cache-Control': 'no-store' } };
/** Per address; store-auth has its own limits per account. */
const RATE = { requests: 60, perSeconds: 60, by: 'address' } as const;

const login = (auth: AuthService, bare: Envelope) =>
  endpoint({
    post: '/api/auth/login',
    summary: 'Signs in with email and password',
    description:
      'Answers the token without an envelope, or `{two_factor, challenge, expires_in}` when a code is needed.',
    tag: TAG,
    guard: 'none',
    body: LoginBody,
    unknownKeys: 'refuse',
    reply: oneOf(TokenReply, SecondFactorNeeded),
    refuses: [refusals.badCredentials, refusals.emailUnverified, 'upstreamFailed'],
    envelope: bare,
    rate: RATE,
    examples: loginExamples,
    handle: async ({ body, address, headers }) => {
      const userAgent = headers['user-agent'] && cut(headers['user-agent'], USER_AGENT_LIMIT);
      const answer = await auth.login(body, { ip: address, userAgent });
      return new Reply(answer, NOT_KEPT);
    },
  });

const twoFactor = (auth: AuthService, bare: Envelope) =>
  endpoint({
    post: '/api/auth/two-factor',
    summary: "Ends a sign-in with the authenticator's code",
    tag: TAG,
    guard: 'none',
    body: TwoFactorBody,
    unknownKeys: 'refuse',
    reply: TokenReply,
    refuses: ['upstreamFailed'],
    envelope: bare,
    rate: RATE,
    examples: twoFactorExamples,
    handle: async ({ body }) => new Reply(await auth.secondFactor(body), NOT_KEPT),
  });

/** `bare`: the envelope that leaves successes alone. */
export const authEndpoints = (auth: AuthService, bare: Envelope): Endpoint[] => [
  login(auth, bare),
  twoFactor(auth, bare),
];
