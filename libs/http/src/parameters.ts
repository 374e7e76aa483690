import { NotFound, type Failure } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { JsonSchema } from '@platform/validation';

/** What one path parameter must look like, and what a handler gets of it. */
export interface Parameter<T> {
  readonly schema: JsonSchema;
  /** The typed value of one decoded path segment; throws a `Failure` for what cannot name anything. */
  read(raw: string): T;
  /** What `read` throws for this. */
  readonly refusal: (raw: string) => Failure;
  /** The same rule with a refusal of its own, for resources whose unknown ids are answered in their words. */
  refusing(failure: (raw: string) => Failure): Parameter<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

const notFound = (): Failure => new NotFound('Not found');

/**
 * A rule over path segments: `take` returns undefined for what does not fit. What does not fit names nothing that exists, so
 * it is 404 (`NotFound`) unless told otherwise: a caller must not learn whether an id is misspelt or somebody else's.
 */
export const parameter = <T>(
  schema: JsonSchema,
  take: (raw: string) => T | undefined,
  refusal: (raw: string) => Failure = notFound,
): Parameter<T> => ({
  schema,
  refusal,
  read: (raw) => {
    const value = take(raw);
    if (value === undefined) throw refusal(raw);
    return value;
  },
  refusing: (failure) => parameter(schema, take, failure),
});

/** A UUID (RFC 9562), read in lower case. */
export const uuid = parameter({ type: 'string', format: 'uuid' }, (raw) =>
  isUuid(raw) ? raw.toLowerCase() : undefined,
);

/** A whole number from 0 to 2^31 - 1, as PostgreSQL's `integer` holds it. */
export const position = parameter({ type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 }, (raw) => {
  const value = /^\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN;
  return value < 2 ** 31 ? value : undefined;
});

/** Up to 255 characters without control characters, slashes and halves of surrogate pairs; neither `.` nor `..`. */
const SEGMENT = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}/\\]{1,255}$/u;

/** What every parameter without a rule of its own must be: one name, which any database can hold and no path can escape by. */
export const segment = parameter({ type: 'string', minLength: 1, maxLength: 255 }, (raw) =>
  SEGMENT.test(raw) ? raw : undefined,
);
