import { Unexpected, type AnyFailure } from '@platform/errors';
import { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';
import { statusOf } from './plain.envelope';

const error = (status: number, message: string, more: object = {}, headers = {}): WireAnswer => ({
  status,
  body: { status: 'error', message, ...more },
  headers,
});

const failure = (fault: AnyFailure): WireAnswer => {
  const code = fault.code ? { code: fault.code } : {};
  switch (fault.kind) {
    case 'malformed':
      return error(400, 'body tidak valid');
    case 'invalid':
      return { status: 422, body: { errors: fault.violations } };
    case 'unauthenticated':
      // `ekspired`: the contract's spelling, store-auth-and-chat-backend.txt part A
      return fault.reason === 'expired'
        ? { status: 401, body: { status: 'ekspired', message: 'token ekspired' } }
        : { status: 401, body: { status: 'invalid', message: 'token tidak valid' } };
    case 'rejected':
      // A refused login: one text for unknown, wrong and disabled
      return error(401, fault.message, code);
    case 'forbidden':
      return error(403, fault.message, code);
    case 'notFound':
      return error(404, fault.message, code);
    case 'conflict':
      return error(409, fault.message, code, retryAfter(fault));
    case 'paymentRequired':
    case 'gone':
    case 'unsupportedMedia':
      return error(statusOf(fault), fault.message, code);
    case 'tooLarge':
      return error(413, 'body terlalu besar');
    case 'tooMany':
      return error(429, 'terlalu banyak percobaan', {}, retryAfter(fault));
    case 'unavailable':
      return error(503, 'terjadi kesalahan, coba lagi', {}, retryAfter(fault));
    case 'upstreamFailed':
    case 'upstreamTimedOut':
    case 'unexpected':
      return error(statusOf(fault), 'terjadi kesalahan, coba lagi');
    default:
      return unreachable(fault);
  }
};

const noStore = (answer: WireAnswer): WireAnswer => ({
  ...answer,
  headers: { 'Cache-Control': 'no-store', ...answer.headers },
});

/** store-auth: the handler's value is the body; no answer may be cached, because most carry a token. */
export const storeAuthEnvelope: Envelope = {
  success: (body, status) => noStore({ status, body }),
  failure: (fault) => noStore(failure(fault)),
  special: [new Unexpected('a sibling refused our token', { code: 'upstream_refused' })],
  refusals:
    'A refusal is `status: "error"` under the HTTP status of its kind; `code` tells those of one status apart. A token that is refused is 401 with the `status` `ekspired` or `invalid` instead.',
  unknownRoute: () => error(404, 'Not Found'),
  schema: (value) => value,
};
