import { fieldErrorsOf, refusalOf, type Refusal } from '@platform/envelopes';
import {
  Forbidden,
  TooMany,
  Unauthenticated,
  Unavailable,
  UpstreamFailed,
  UpstreamTimedOut,
  type Failure,
  type FailureOptions,
} from '@platform/errors';
import { AnswerTooLarge, type CallAnswer } from './client';

/** A failure of the domain, made from the sibling's message, code and details. */
export type RefusalClass = new (
  message: string,
  options: FailureOptions & { readonly retryAfterSeconds?: number },
) => Failure;

export interface FailureRules {
  /** Maps the sibling's code, or else its HTTP status, to its meaning here: `{ chat_not_found: NotFound, 409: Conflict }`. */
  readonly refusals?: Readonly<Record<string, RefusalClass>>;
  /** Set when this service cannot serve without the sibling: its absence is then `Unavailable`, not 502 or 504. */
  readonly absence?: { readonly retryAfterSeconds?: number };
  /** Whether `details` of a refusal has what the sibling says of each field of the call, as `errors`. */
  readonly fieldErrors?: boolean;
}

export interface FailedCall {
  readonly name: string;
  readonly method: string;
  /** The path without ids. */
  readonly template: string;
  /** The caller's own token was sent, not ours. */
  readonly asCaller: boolean;
}

const LONGEST_WAIT_SECONDS = 86_400;
const TOO_MANY = 'Too many attempts, please try again later';

const waitOf = ({ headers }: CallAnswer): number | undefined => {
  const header = String(headers['retry-after'] ?? '');
  return /^\d{1,9}$/.test(header) ? Math.min(Number(header), LONGEST_WAIT_SECONDS) : undefined;
};

const saidOf = ({ name, method, template }: FailedCall, { status }: CallAnswer, code?: string): Error =>
  new Error(`${name} answered ${status}${code ? ` (${code})` : ''} to ${method} ${template}`);

const meaningOf = ({ refusals = {} }: FailureRules, status: number, code: string | undefined) => {
  const key = [code, String(status)].find((each) => each !== undefined && Object.hasOwn(refusals, each));
  return key === undefined ? undefined : refusals[key];
};

/** 401 and 403 concern the caller only when the token was theirs. */
const notLetIn = (call: FailedCall, status: number, refusal: Refusal, said: Error): Failure => {
  const { name, asCaller, method, template } = call;
  const { message, code, details, expired } = refusal;
  if (!asCaller) {
    const ours = `${name} refuses our service token`;
    const advice = `compare JWT_ISSUER and JWT_AUDIENCE of ${name}, and SERVICE_CLIENTS of store-auth, with this service`;
    return new UpstreamFailed(ours, { cause: new Error(`${ours}: ${status} to ${method} ${template}; ${advice}`) });
  }
  if (status === 401) return new Unauthenticated({ reason: expired ? 'expired' : 'invalid', code, cause: said });
  return new Forbidden(message || 'Forbidden', { code, details, cause: said });
};

/** A sibling that fails, or answers nonsense. */
const troubleOf = ({ name }: FailedCall, answer: CallAnswer, { absence }: FailureRules, cause: Error): Failure => {
  const { status } = answer;
  const retryAfterSeconds = waitOf(answer) ?? absence?.retryAfterSeconds;
  const isLater = status === 503 && retryAfterSeconds !== undefined;
  if (isLater || (status >= 500 && absence))
    return new Unavailable(`${name} cannot answer at the moment`, { retryAfterSeconds, cause });
  const what = status < 300 ? 'with something else than was asked for' : String(status);
  return new UpstreamFailed(`${name} answered ${what}`, { cause });
};

const NO_REFUSAL: Refusal = { code: undefined, message: '', details: {}, expired: false };

/** The failure that an answer other than a success means here. */
export const failureOf = (call: FailedCall, answer: CallAnswer, rules: FailureRules): Failure => {
  const { status } = answer;
  const refusal = refusalOf(status, answer.json()) ?? NO_REFUSAL;
  const { code, message } = refusal;
  const errors = rules.fieldErrors ? fieldErrorsOf(answer.json()) : {};
  const details = { ...refusal.details, ...(Object.keys(errors).length > 0 && { errors }) };
  const cause = saidOf(call, answer, code);
  const retryAfterSeconds = waitOf(answer);
  const Meaning = meaningOf(rules, status, code);
  if (Meaning) return new Meaning(message || `${call.name} refused`, { code, details, retryAfterSeconds, cause });
  if (status === 429) return new TooMany(TOO_MANY, { retryAfterSeconds: retryAfterSeconds ?? 5, code, cause });
  if (status === 401 || status === 403) return notLetIn(call, status, refusal, cause);
  return troubleOf(call, answer, rules, cause);
};

const TIMEOUTS = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);

/** The cause of the client's "did not answer". */
const underneath = (thrown: unknown): unknown => (thrown instanceof Unavailable ? thrown.cause : thrown);

/** It was there, but its answer exceeded the limit. */
export const isOverlong = (thrown: unknown): boolean => underneath(thrown) instanceof AnswerTooLarge;

/** The failure that no answer means here: out of time, no connection, a broken connection, an endless answer. */
export const silenceOf = ({ name }: FailedCall, thrown: unknown, { absence }: FailureRules): Failure => {
  const cause = underneath(thrown);
  if (absence && !isOverlong(thrown)) return new Unavailable(`${name} did not answer`, { ...absence, cause });
  // By name: an aborted fetch throws a DOMException, which is not an Error everywhere
  return TIMEOUTS.has((cause as Partial<Error> | undefined)?.name ?? '')
    ? new UpstreamTimedOut(`${name} did not answer in time`, { cause })
    : new UpstreamFailed(`${name} did not answer`, { cause });
};
