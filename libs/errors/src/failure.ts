/** One thing wrong with one field of a request. Texts follow go-playground/validator's English translations. */
export interface Violation {
  /** Wire name of the field; nested ones as `items[0].qty`. */
  readonly field: string;
  /** Name of the first rule that failed, such as `required`. */
  readonly tag: string;
  readonly message: string;
  /** What the rule speaks of, such as a name that nobody knows, for who tells it in another language. */
  readonly about?: string | undefined;
}

export type FailureKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'rejected'
  | 'paymentRequired'
  | 'gone'
  | 'tooLarge'
  | 'unsupportedMedia'
  | 'tooMany'
  | 'unavailable'
  | 'upstreamFailed'
  | 'upstreamTimedOut'
  | 'unexpected';

export interface FailureOptions {
  /** Stable machine name, such as `device_not_found`; never changes once published. */
  readonly code?: string;
  /** Additional members of the answer's body, for envelopes that document some. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The underlying error. Logged, never sent. */
  readonly cause?: unknown;
}

/**
 * A failure in terms of the domain. Services throw these; the service's envelope alone decides which status and body a
 * kind becomes. `kind` is closed: a new one does not compile until every envelope maps it.
 */
export abstract class Failure extends Error {
  abstract readonly kind: FailureKind;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, { code, details = {}, cause }: FailureOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
}

/** A failure that may say when the same request can succeed. */
abstract class Passing<Seconds extends number | undefined = number> extends Failure {
  constructor(
    message: string,
    readonly retryAfterSeconds: Seconds,
    options: FailureOptions,
  ) {
    super(message, options);
  }
}

/** The request could not be read: broken JSON, a broken multipart body, an unknown content type. */
export class Malformed extends Failure {
  readonly kind = 'malformed';
}

/** The request was read and breaks rules; every field that does is listed once, in DTO order. */
export class InvalidInput extends Failure {
  readonly kind = 'invalid';
  /** When the same request may pass; undefined where only another one can. */
  readonly retryAfterSeconds: number | undefined;
  constructor(
    readonly violations: readonly Violation[],
    { retryAfterSeconds, ...options }: FailureOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(violations[0]?.message ?? 'invalid input', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No credential, or one that is not valid. `expired` is only used for a credential that would otherwise be valid. */
export class Unauthenticated extends Failure {
  readonly kind = 'unauthenticated';
  readonly reason: 'missing' | 'invalid' | 'expired';
  constructor({
    reason,
    message,
    ...options
  }: FailureOptions & { reason: 'missing' | 'invalid' | 'expired'; message?: string }) {
    super(message ?? 'Unauthenticated', options);
    this.reason = reason;
  }
}

/** The caller is known, but may not do this. */
export class Forbidden extends Failure {
  readonly kind = 'forbidden';
}

/** Does not exist, or belongs to another tenant: a caller must not learn which. */
export class NotFound extends Failure {
  readonly kind = 'notFound';
}

/** The current state does not allow it, or a unique value is taken; no seconds when a retry cannot help. */
export class Conflict extends Passing<number | undefined> {
  readonly kind = 'conflict';
  constructor(
    message: string,
    { retryAfterSeconds, ...options }: FailureOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, retryAfterSeconds, options);
  }
}

/** A business rule says no; the request itself was fine. */
export class Rejected extends Failure {
  readonly kind = 'rejected';
}

/** The plan or the balance does not cover it: paying helps, a retry does not. */
export class PaymentRequired extends Failure {
  readonly kind = 'paymentRequired';
}

/** It existed, and a caller may know that: an expired or used link. */
export class Gone extends Failure {
  readonly kind = 'gone';
}

/** The body, or a file in it, has a type that is not accepted here. */
export class UnsupportedMedia extends Failure {
  readonly kind = 'unsupportedMedia';
}

/** The body, or a file in it, is over the limit. */
export class TooLarge extends Failure {
  readonly kind = 'tooLarge';
}

/** Over a rate limit or a queue's bound. `limit`: how many requests in which time the caller has. */
export class TooMany extends Passing {
  readonly kind = 'tooMany';
  readonly limit: { readonly requests: number; readonly perSeconds: number } | undefined;
  constructor(
    message: string,
    { retryAfterSeconds, limit, ...options }: FailureOptions & { retryAfterSeconds: number; limit?: TooMany['limit'] },
  ) {
    super(message, retryAfterSeconds, options);
    this.limit = limit;
  }
}

/** A dependency of this service is unavailable; the same request may succeed later. */
export class Unavailable extends Passing {
  readonly kind = 'unavailable';
  constructor(
    message: string,
    { retryAfterSeconds = 5, ...options }: FailureOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, retryAfterSeconds, options);
  }
}

/**
 * What is known of a request whose answer was not a good one. `refused`: the other side said no, and would again; `undone`: it was
 * never taken, so that it may be sent again; `unknown`: it may have been done, so that one asks before anything is repeated.
 */
export type Outcome = 'refused' | 'undone' | 'unknown';

abstract class Upstream extends Failure {
  readonly outcome: Outcome;

  constructor(
    message: string,
    { outcome = 'unknown', ...options }: FailureOptions & { readonly outcome?: Outcome } = {},
  ) {
    super(message, options);
    this.outcome = outcome;
  }

  /** It may have been done there. */
  get unknown(): boolean {
    return this.outcome === 'unknown';
  }
}

/** A sibling or a provider answered, but not as expected; the outcome of the request there is unknown unless told. */
export class UpstreamFailed extends Upstream {
  readonly kind = 'upstreamFailed';
}

/** A sibling or a provider did not answer in time; the outcome of the request there is unknown unless told. */
export class UpstreamTimedOut extends Upstream {
  readonly kind = 'upstreamTimedOut';
}

/** A bug, or an unforeseen answer. Callers see a fixed text; the log has the cause. */
export class Unexpected extends Failure {
  readonly kind = 'unexpected';
}

/** All failures, for exhaustive switches. */
export type AnyFailure =
  | Malformed
  | InvalidInput
  | Unauthenticated
  | Forbidden
  | NotFound
  | Conflict
  | Rejected
  | PaymentRequired
  | Gone
  | TooLarge
  | UnsupportedMedia
  | TooMany
  | Unavailable
  | UpstreamFailed
  | UpstreamTimedOut
  | Unexpected;

/** Turns whatever was thrown into a failure: a failure stays itself, anything else becomes the cause of an `Unexpected`. */
export const asFailure = (thrown: unknown): AnyFailure =>
  thrown instanceof Failure ? (thrown as AnyFailure) : new Unexpected('unexpected failure', { cause: thrown });
