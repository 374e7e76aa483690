import { cut, redact } from '@platform/runtime';

/** A sibling's refusal, whatever its envelope. */
export interface Refusal {
  /** The sibling's machine name for it; undefined when its envelope has none, or none that is well-formed. */
  readonly code: string | undefined;
  /** The sibling's message, safe to pass on: one short line without tokens, phone numbers and control characters. */
  readonly message: string;
  /** Members that the sibling documents beside these two. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The token was valid and has expired (store-auth's `ekspired`). */
  readonly expired: boolean;
}

/** Members that belong to an envelope; `errors` names fields of our request, which our own callers never sent. */
const ENVELOPE = new Set([
  ...['result', 'success', 'status', 'statusCode', 'message', 'code', 'error', 'errors', 'retryable', 'detail'],
]);
const CODE = /^[\w.:-]{1,64}$/;
const LONGEST_MESSAGE = 200;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu;
/** Eight or more digits, however they are grouped. */
const LONG_NUMBER = /\+?\d(?:[\s().-]*\d){7,}/g;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const safeWords = (text: unknown): string =>
  typeof text === 'string'
    ? String(redact(cut(text.replace(UNPRINTABLE, ' '), LONGEST_MESSAGE)))
        .replace(LONG_NUMBER, '[number]')
        .trim()
    : '';

const saysNo = ({ result, success, status }: Record<string, unknown>): boolean =>
  result === false || success === false || status === 'error';

/**
 * The refusal in an answer of one of our services; undefined: it is a success. This is the only place that knows all dialects:
 * chat-backend `{result:false,message,code}` with status 200, commerce-api and store-auth `{status:"error",message,code}`,
 * wa-gateway `{success:false,message,error:{code}}` (without `error` in production), bot-engine `{statusCode | status,message}`.
 */
export const refusalOf = (httpStatus: number, body: unknown): Refusal | undefined => {
  const answer = isObject(body) ? body : {};
  if (httpStatus < 400 && !saysNo(answer)) return undefined;
  const { message, error, status } = answer;
  const told = isObject(error) ? error : answer;
  return {
    code: typeof told.code === 'string' && CODE.test(told.code) ? told.code : undefined,
    message: safeWords(message ?? error),
    details: Object.fromEntries(Object.entries(told).filter(([name]) => !ENVELOPE.has(name))),
    expired: status === 'ekspired',
  };
};

/** chat-backend's list of `{field,message}` as the others' map. */
const byField = (errors: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(errors.flatMap((each) => (isObject(each) ? [[String(each.field), [each.message]]] : [])));

/** What a sibling says of each field that it refuses, in whichever of the two forms; none for other answers. As safe as the message. */
export const fieldErrorsOf = (body: unknown): Readonly<Record<string, readonly string[]>> => {
  const told = isObject(body) ? body.errors : undefined;
  const errors = Array.isArray(told) ? byField(told) : told;
  if (!isObject(errors)) return {};
  const safe = Object.entries(errors).flatMap(([field, texts]) =>
    Array.isArray(texts) ? [[field, texts.map(safeWords)] as const] : [],
  );
  return Object.fromEntries(safe);
};
