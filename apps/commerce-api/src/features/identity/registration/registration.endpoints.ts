import { dataOf, done, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import type { RecoveryService } from './recovery.service';
import { AddressBody, RegisterBody, Registered, ResetBody, Verified, VerifyBody } from './registration.dto';
import * as examples from './registration.examples';
import type { RegistrationService } from './registration.service';

/** Per address of the caller; store-auth has its own limits per account. */
const RATE = { requests: 60, perSeconds: 60, by: 'address' } as const;

const endpoint = ofService.withDefaults({
  tag: 'Authentication and user',
  unknownKeys: 'refuse',
  rate: RATE,
  refuses: ['upstreamFailed'],
});

/** One text whether or not somebody has the address. */
const ON_ITS_WAY = 'If the address is registered, a message is on its way';

export const registrationEndpoints = (registration: RegistrationService, recovery: RecoveryService): Endpoint[] => [
  endpoint({
    post: '/api/auth/register',
    summary: 'A new user with a first store; a code goes to the address',
    guard: 'none',
    status: 201,
    body: RegisterBody,
    reply: dataOf(Registered, 'Account created'),
    examples: examples.register,
    handle: ({ body }) => registration.register(body),
  }),
  endpoint({
    post: '/api/auth/verify',
    summary: 'Confirms an address with the code that was sent to it',
    guard: 'none',
    body: VerifyBody,
    reply: dataOf(Verified, 'Email confirmed'),
    examples: examples.verify,
    handle: async ({ body: { email, code } }) => {
      await recovery.verify(email, code);
      return { verified: true as const };
    },
  }),
  endpoint({
    post: '/api/auth/resend-verification',
    summary: 'Sends the code again, at most once a minute',
    guard: 'none',
    body: AddressBody,
    reply: done(ON_ITS_WAY),
    examples: examples.resend,
    handle: ({ body }) => recovery.resend(body.email),
  }),
  endpoint({
    post: '/api/auth/forgot-password',
    summary: 'Sends a link for another password, at most once a minute',
    guard: 'none',
    body: AddressBody,
    reply: done(ON_ITS_WAY),
    examples: examples.resend,
    handle: ({ body }) => recovery.forgot(body.email),
  }),
  endpoint({
    post: '/api/auth/reset-password',
    summary: 'Another password with the token of the link; every login ends',
    guard: 'none',
    body: ResetBody,
    reply: done('Password updated'),
    examples: examples.reset,
    handle: ({ body: { token, password } }) => recovery.reset(token, password),
  }),
];
