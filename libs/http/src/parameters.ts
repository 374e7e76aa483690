import { NotFound, type Failure } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { JsonSchema } from '@platform/validation';

/** The rule of one path parameter, and the value that it gives the handler. */
export interface Parameter<T> {
  readonly schema: JsonSchema;
  /** The typed value of one decoded path segment; throws a `Failure` for one that cannot name anything. */
  read(raw: string): T;
  /** The failure that `read` throws. */
  readonly refusal: (raw: string) => Failure;
  /** The same rule with its own refusal, for resources with their own answer to unknown ids. */
  refusing(failure: (raw: string) => Failure): Parameter<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

const notFound = (): Failure => new NotFound('Not found');

/**
 * A rule over path segments: `take` returns undefined for one that does not match. Such a segment names nothing that exists,
 * so it is a 404 (`NotFound`) by default: a caller must not learn whether an id is misspelt or somebody else's.
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

/** Up to 255 characters without control characters, slashes and halves of surrogate pairs; not `.` or `..`. */
const SEGMENT = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}/\\]{1,255}$/u;

/** The default rule of a parameter: one name that any database can hold and that cannot escape its path. */
export const segment = parameter({ type: 'string', minLength: 1, maxLength: 255 }, (raw) =>
  SEGMENT.test(raw) ? raw : undefined,
);
