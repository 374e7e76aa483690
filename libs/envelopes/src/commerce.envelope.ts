import type { AnyFailure } from '@platform/errors';
import { statusOf } from './plain.envelope';
import { retryAfter, type Envelope } from './envelope';

const CODE = {
  malformed: 'malformed',
  invalid: 'validation',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  notFound: 'not_found',
  conflict: 'conflict',
  rejected: 'rejected',
  paymentRequired: 'plan_limit',
  gone: 'gone',
  tooLarge: 'too_large',
  unsupportedMedia: 'unsupported_media',
  tooMany: 'rate_limited',
  unavailable: 'unavailable',
  upstreamFailed: 'provider_error',
  upstreamTimedOut: 'provider_timeout',
  unexpected: 'internal',
} as const satisfies Record<AnyFailure['kind'], string>;

/** Caches may keep a 410 unasked, and what is used up today may be given again. */
const UNKEPT = { 'Cache-Control': 'no-store' };

/** `items[0].qty` as the design writes it: `items.0.qty`. */
const dotted = (field: string): string => field.replace(/\[(\d+)\]/g, '.$1');

const fieldErrors = (fault: AnyFailure): object =>
  fault.kind === 'invalid'
    ? { errors: Object.fromEntries(fault.violations.map(({ field, message }) => [dotted(field), [message]])) }
    : {};

interface Listed {
  message?: string;
  data: unknown;
  meta?: unknown;
}

/** commerce-api: `{status:"success",message,data,meta?}` / `{status:"error",message,code}`; details only outside production. */
export const commerceEnvelope = ({ production }: { production: boolean }): Envelope => ({
  success: (value, status) => {
    const { message = 'OK', data, meta } = value as Listed;
    return { status, body: { status: 'success', message, data, ...(meta === undefined ? {} : { meta }) } };
  },
  failure: (fault) => {
    const hidden = fault.kind === 'unexpected';
    const detail = hidden && !production && fault.cause instanceof Error ? { detail: fault.cause.message } : {};
    return {
      status: statusOf(fault),
      body: {
        status: 'error',
        message: hidden ? 'Something went wrong, please try again' : fault.message,
        code: fault.code ?? CODE[fault.kind],
        ...fieldErrors(fault),
        ...fault.details,
        ...detail,
      },
      headers: { ...retryAfter(fault), ...(fault.kind === 'gone' && UNKEPT) },
    };
  },
  refusals:
    'A refusal is `status: "error"` under the HTTP status of its kind: `code` says which it is, for programs, and `message` for people.',
  unknownRoute: () => ({ status: 404, body: { status: 'error', message: 'Not found', code: 'not_found' } }),
  schema: (value) => ({
    allOf: [
      {
        type: 'object',
        properties: { status: { const: 'success' }, message: { type: 'string' } },
        required: ['status', 'message', 'data'],
      },
      value,
    ],
  }),
});

/** Routes whose body is documented without an envelope, such as `TokenReply`; failures as everywhere. */
export const commerceBareEnvelope = (options: { production: boolean }): Envelope => ({
  ...commerceEnvelope(options),
  success: (body, status) => ({ status, body }),
  schema: (value) => value,
});
