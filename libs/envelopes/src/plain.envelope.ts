import type { AnyFailure } from '@platform/errors';
import { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';

const STATUS = {
  malformed: 400,
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  rejected: 422,
  paymentRequired: 402,
  gone: 410,
  tooLarge: 413,
  unsupportedMedia: 415,
  tooMany: 429,
  unavailable: 503,
  upstreamFailed: 502,
  upstreamTimedOut: 504,
  unexpected: 500,
} as const satisfies Record<AnyFailure['kind'], number>;

/** The default HTTP status of a failure kind, for envelopes that document no other. */
export const statusOf = (failure: AnyFailure): number => STATUS[failure.kind] ?? unreachable(failure as never);

/** No envelope around the value; failures as `{status:"error",message}`. Used by /health and other operational routes. */
export const plainEnvelope: Envelope = {
  success: (body, status): WireAnswer => ({ status, body }),
  failure: (failure) => ({
    status: statusOf(failure),
    body: { status: 'error', message: failure.kind === 'unexpected' ? 'internal server error' : failure.message },
    headers: retryAfter(failure),
  }),
  unknownRoute: () => ({ status: 404, body: { status: 'error', message: 'Not Found' } }),
  schema: (value) => value,
};
