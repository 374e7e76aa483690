import { Unavailable, type AnyFailure } from '@platform/errors';
import { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';

/** Fixed text of an unexpected failure: chat-backend design section 1. */
const INTERNAL = { result: false, message: 'terjadi kesalahan, coba lagi', code: 'internal' };

const refusal = ({ message, code, details }: AnyFailure): Record<string, unknown> => ({
  result: false,
  message,
  ...(code ? { code } : {}),
  ...details,
});

const failure =
  (internalStatus: number, unavailable: (failure: AnyFailure) => WireAnswer) =>
  (fault: AnyFailure): WireAnswer => {
    switch (fault.kind) {
      case 'malformed':
        return { status: 400, body: { error: fault.message } };
      case 'invalid':
        return { status: 422, body: { errors: fault.violations } };
      case 'unauthenticated':
        return { status: 401, body: { status: 'error', message: 'Unauthenticated' } };
      case 'forbidden':
      case 'notFound':
      case 'conflict':
      case 'rejected':
      case 'paymentRequired':
      case 'gone':
      case 'unsupportedMedia':
        // "business error | 200 | result false, message" (contract, Errors)
        return { status: 200, body: refusal(fault), headers: retryAfter(fault) };
      case 'tooLarge':
        return { status: 413, body: { error: fault.message } };
      case 'tooMany':
        return { status: 429, body: { status: 'error', message: 'Too Many Requests' }, headers: retryAfter(fault) };
      case 'unavailable':
        // Tokens cannot be checked yet: a 401 would make every client log out (design section 6)
        return fault.code === 'keys_not_loaded'
          ? { status: 503, body: INTERNAL, headers: retryAfter(fault) }
          : unavailable(fault);
      case 'upstreamFailed':
      case 'upstreamTimedOut':
        return unavailable(fault);
      case 'unexpected':
        return { status: internalStatus, body: INTERNAL };
      default:
        return unreachable(fault);
    }
  };

const base = {
  refusals:
    'A refusal of the business is 200 with `result: false`: `code` says which it is, for programs, and `message` for people. Where the contract knows a text only, there is no code.',
  special: [new Unavailable('the keys are not loaded yet', { code: 'keys_not_loaded' })],
  success: (value: unknown, status: number): WireAnswer => ({ status, body: { result: true, ...(value as object) } }),
  unknownRoute: (): WireAnswer => ({ status: 404, body: { status: 'error', message: 'Not Found' } }),
  schema: (value: { readonly [key: string]: unknown }) => ({
    allOf: [{ type: 'object', properties: { result: { const: true } }, required: ['result'] }, value],
  }),
};

/** chat-backend: `{result:true,...}`, business errors 200 `{result:false,message,code}`, unexpected failures 500. */
export const chatEnvelope: Envelope = { ...base, failure: failure(500, () => ({ status: 500, body: INTERNAL })) };

/** The seven inbound routes, whose failures the contract lists as 200 `result:false`. */
export const chatInboundEnvelope: Envelope = {
  ...base,
  failure: failure(200, () => ({ status: 200, body: INTERNAL })),
};

/**
 * `callback_message`: as the inbound routes, but a message that cannot be stored now answers 503 with `Retry-After`, on
 * which the gateway retries; and its own `Unauthenticated` for a bad signature.
 */
export const chatCallbackEnvelope: Envelope = {
  ...base,
  failure: failure(200, (fault) => ({ status: 503, body: INTERNAL, headers: retryAfter(fault) })),
};

/** Pushes of siblings, which are repeated after a 503. */
export const chatServiceEnvelope: Envelope = {
  ...base,
  failure: failure(500, (fault) => ({ status: 503, body: INTERNAL, headers: retryAfter(fault) })),
};

/** `broadcast/scheduler`, which has its own envelope: `{status:"success",message}` (contract); refusals have `code` too. */
export const chatSchedulerEnvelope: Envelope = {
  ...chatEnvelope,
  success: (value, status) => ({ status, body: { status: 'success', ...(value as object) } }),
  failure: (fault) => {
    const answer = chatEnvelope.failure(fault);
    const { result, ...refused } = answer.body as { result?: boolean };
    return result === undefined ? answer : { ...answer, body: { status: 'error', ...refused } };
  },
  schema: (value) => ({
    allOf: [{ type: 'object', properties: { status: { const: 'success' } }, required: ['status'] }, value],
  }),
};
