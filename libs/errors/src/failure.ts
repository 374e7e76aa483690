/** One thing wrong with one field of a request. Texts follow go-playground/validator's English translations. */
export interface Violation {
  /** Wire name of the field; nested ones as `items[0].qty`. */
  readonly field: string;
  /** Name of the first rule that failed, such as `required`. */
  readonly tag: string;
  readonly message: string;
}

export type FailureKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'rejected'
  | 'tooLarge'
  | 'tooMany'
  | 'unavailable'
  | 'unexpected';

export interface FailureOptions {
  /** Stable machine name, such as `device_not_found`; never changes once published. */
  readonly code?: string;
  /** Additional members for the answer's body, for the envelopes that document some. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What was underneath. Logged, never sent. */
  readonly cause?: unknown;
}

/**
 * A failure in words of the domain. Services throw these; the service's envelope alone decides which status and body a
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

/** The request could not be read: broken JSON, a broken multipart body, an unknown content type. */
export class Malformed extends Failure {
  readonly kind = 'malformed';
}

/** The request was read and breaks rules; every field that does is listed once, in DTO order. */
export class InvalidInput extends Failure {
  readonly kind = 'invalid';
  constructor(
    readonly violations: readonly Violation[],
    options: FailureOptions = {},
  ) {
    super(violations[0]?.message ?? 'invalid input', options);
  }
}

/** Nobody, or nobody we know. `expired` is said only of a credential that would otherwise be valid. */
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

/** Somebody we know, without the right to do this. */
export class Forbidden extends Failure {
  readonly kind = 'forbidden';
}

/** Does not exist, or belongs to another tenant: a caller must not learn which. */
export class NotFound extends Failure {
  readonly kind = 'notFound';
}

/** The state of the thing does not allow it now, or a unique value is taken. */
export class Conflict extends Failure {
  readonly kind = 'conflict';
}

/** A business rule says no; the request itself was fine. */
export class Rejected extends Failure {
  readonly kind = 'rejected';
}

/** The body, or a file in it, is over the limit. */
export class TooLarge extends Failure {
  readonly kind = 'tooLarge';
}

/** Over a rate limit or a queue's bound. */
export class TooMany extends Failure {
  readonly kind = 'tooMany';
  readonly retryAfterSeconds: number;
  constructor(message: string, { retryAfterSeconds, ...options }: FailureOptions & { retryAfterSeconds: number }) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Something this service stands on is away; the same request may succeed later. */
export class Unavailable extends Failure {
  readonly kind = 'unavailable';
  readonly retryAfterSeconds: number;
  constructor(
    message: string,
    { retryAfterSeconds = 5, ...options }: FailureOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A bug, or an answer nobody foresaw. Callers see a fixed text; the log has the cause. */
export class Unexpected extends Failure {
  readonly kind = 'unexpected';
}

/** Every failure there is, for exhaustive switches. */
export type AnyFailure =
  | Malformed
  | InvalidInput
  | Unauthenticated
  | Forbidden
  | NotFound
  | Conflict
  | Rejected
  | TooLarge
  | TooMany
  | Unavailable
  | Unexpected;

/** Whatever was thrown, as a failure: a failure stays itself, anything else becomes `Unexpected` with it as the cause. */
export const asFailure = (thrown: unknown): AnyFailure =>
  thrown instanceof Failure ? (thrown as AnyFailure) : new Unexpected('unexpected failure', { cause: thrown });
