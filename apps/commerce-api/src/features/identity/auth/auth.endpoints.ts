import type { Envelope } from '@platform/envelopes';
import { oneOf, Reply, type Endpoint, type Example } from '@platform/http';
import { cut } from '@platform/runtime';
import { endpoint } from '../../../endpoint';
import { LoginBody, SecondFactorNeeded, TokenReply, TwoFactorBody } from './auth.dto';
import type { AuthService } from './auth.service';

/** store-auth keeps no more of it. */
const USER_AGENT_LIMIT = 1024;
const TAG = 'Authentication and user';
const NOT_KEPT = { headers: { 'Cache-Control': 'no-store' } };
/** Of one address; store-auth has limits of its own per account. */
const RATE = { requests: 60, perSeconds: 60, by: 'address' } as const;

const credentials = { email: 'owner@toko-nusa.example', password: 'a good passphrase' };

const LOGIN_EXAMPLES: Example[] = [
  {
    summary: 'signed in',
    request: credentials,
    status: 200,
    response: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
  },
  {
    summary: 'a second factor is needed',
    request: { ...credentials, email: 'two-factor@toko-nusa.example' },
    status: 200,
    response: { two_factor: true, challenge: 'two-factor@toko-nusa.example', expires_in: 300 },
  },
  {
    summary: 'unknown, wrong or disabled',
    request: { ...credentials, password: 'a wrong passphrase' },
    status: 401,
    response: { status: 'error', message: 'Email or password is wrong', code: 'bad_credentials' },
  },
  {
    summary: 'a field is missing',
    request: { email: 'owner@toko-nusa.example' },
    status: 422,
    response: {
      status: 'error',
      message: 'password is a required field',
      code: 'validation',
      errors: { password: ['password is a required field'] },
    },
  },
];

const TWO_FACTOR_EXAMPLES: Example[] = [
  {
    summary: 'signed in',
    request: { challenge: 'two-factor@toko-nusa.example', code: '123456' },
    status: 200,
    response: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
  },
  {
    summary: 'a wrong code',
    request: { challenge: 'two-factor@toko-nusa.example', code: '000000' },
    status: 422,
    response: {
      status: 'error',
      message: 'code is wrong',
      code: 'validation',
      errors: { code: ['code is wrong'] },
    },
  },
];

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
    envelope: bare,
    rate: RATE,
    examples: LOGIN_EXAMPLES,
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
    envelope: bare,
    rate: RATE,
    examples: TWO_FACTOR_EXAMPLES,
    handle: async ({ body }) => new Reply(await auth.secondFactor(body), NOT_KEPT),
  });

/** `bare`: the envelope that leaves successes alone. */
export const authEndpoints = (auth: AuthService, bare: Envelope): Endpoint[] => [
  login(auth, bare),
  twoFactor(auth, bare),
];
