import { Conflict, NotFound, Rejected, type AnyFailure, type Violation } from '@platform/errors';
import { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';

const CODE = {
  malformed: 'MALFORMED',
  invalid: 'VALIDATION',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  notFound: 'NOT_FOUND',
  conflict: 'DEVICE_STATE',
  rejected: 'VALIDATION',
  paymentRequired: 'PAYMENT_REQUIRED',
  gone: 'GONE',
  tooLarge: 'TOO_LARGE',
  unsupportedMedia: 'MEDIA_TYPE',
  tooMany: 'RATE_LIMIT',
  unavailable: 'UNAVAILABLE',
  upstreamFailed: 'ENGINE',
  upstreamTimedOut: 'ENGINE',
  unexpected: 'INTERNAL',
} as const satisfies Record<AnyFailure['kind'], string>;

/** Refusals with their own status: wa-gateway design 2.1. */
const STATUS_OF_CODE: Readonly<Record<string, number | undefined>> = {
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED: 501,
};

const statusOf = (fault: AnyFailure): number => {
  const special = fault.code === undefined ? undefined : STATUS_OF_CODE[fault.code];
  if (special !== undefined) return special;
  switch (fault.kind) {
    case 'malformed':
      return 400;
    case 'unauthenticated':
      return 401;
    case 'forbidden':
      return 403;
    case 'notFound':
      return 404;
    case 'conflict':
      return 409;
    case 'tooLarge':
      return 413;
    case 'invalid':
    case 'rejected':
      return 422;
    case 'paymentRequired':
      return 402;
    case 'gone':
      return 410;
    case 'unsupportedMedia':
      return 415;
    case 'tooMany':
      return 429;
    case 'upstreamFailed':
      return 502;
    case 'upstreamTimedOut':
      return 504;
    case 'unexpected':
      return 500;
    case 'unavailable':
      return 503;
    default:
      return unreachable(fault);
  }
};

/** Tags of the gateway's own rules, which carry the text of design 2.1; those of the library get one of the two standard texts. */
const OWN_TAGS = new Set(['number_format', 'not_registered', 'opted_out']);

const worded = ({ field, tag, message }: Violation): Violation => {
  if (OWN_TAGS.has(tag)) return { field, tag, message };
  const missing = tag === 'required' || tag === 'required_without';
  return { field, tag, message: missing ? `${field} is required` : `${field} is not valid` };
};

const textOf = (fault: AnyFailure, errors: readonly Violation[]): string => {
  switch (fault.kind) {
    case 'malformed':
      return 'malformed request body';
    case 'invalid':
      return errors[0]?.message ?? fault.message;
    case 'unavailable':
      // Without a code it comes from a lower layer: the caller need not know which one is down.
      return fault.code === undefined ? 'store unavailable' : fault.message;
    case 'unexpected':
      return 'internal server error';
    case 'tooMany':
      // `too many requests` of the library's limiter, like the gateway's own texts
      return fault.message.toLowerCase();
    default:
      return fault.message;
  }
};

const RETRYABLE = new Set<AnyFailure['kind']>(['conflict', 'tooMany', 'unavailable', 'unexpected']);

/**
 * wa-gateway: `{success,message,data}` / `{success:false,message,error}`; `error` is left out in production (contract,
 * section B), so the HTTP status alone tells a caller what to do: wa-gateway design 2.1. Handlers return `{message,data}`.
 */
export const gatewayEnvelope = ({ production }: { production: boolean }): Envelope => {
  const failed = (status: number, message: string, error: object, headers = {}): WireAnswer => ({
    status,
    body: { success: false, message, ...(production ? {} : { error }) },
    headers,
  });
  return {
    success: (value, status) => {
      const { message, data } = value as { message: string; data: unknown };
      return { status, body: { success: true, message, data } };
    },
    failure: (fault) => {
      const errors = fault.kind === 'invalid' ? fault.violations.map(worded) : [];
      const error = {
        code: fault.code ?? CODE[fault.kind],
        retryable: RETRYABLE.has(fault.kind),
        ...(errors.length > 0 ? { errors } : {}),
        ...fault.details,
      };
      return failed(statusOf(fault), textOf(fault, errors), error, retryAfter(fault));
    },
    special: [
      new NotFound('<what is not there>', { code: 'METHOD_NOT_ALLOWED' }),
      ...['MEDIA_TYPE', 'UNSUPPORTED'].map((code) => new Rejected('<what was refused>', { code })),
      new Rejected('<what failed>', { code: 'ENGINE', details: { retryable: true } }),
      new Conflict('<what stands against it>', { details: { retryable: false } }),
    ],
    refusals: production
      ? 'A refusal is `success: false` under the HTTP status of its kind, which says whether to try again; there is no code, `message` says what was refused.'
      : 'A refusal is `success: false`: `error.code` says what it is and `error.retryable` whether to try again. In production `error` is left out.',
    unknownRoute: () => failed(404, 'route not found', { code: 'NOT_FOUND', retryable: false }),
    schema: (value) => ({
      allOf: [{ type: 'object', properties: { success: { const: true } }, required: ['success'] }, value],
    }),
  };
};
