import { Malformed } from '@platform/errors';
import { callbackFields, type CallbackPayload } from './callback-payload';

const FLAGS: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  '1': true,
  t: true,
  false: false,
  '0': false,
  f: false,
};
const INT64_MAX = 2n ** 63n - 1n;

const readFlag = (name: string, raw: unknown): boolean => {
  const flag = typeof raw === 'object' ? undefined : FLAGS[String(raw).toLowerCase()];
  if (flag === undefined) throw new Malformed(`${name} must be a boolean: true, false, 1, 0, t or f`);
  return flag;
};

/** Finer units as milliseconds, so that the value stays a safe integer; seconds and milliseconds unchanged. */
const coarse = (value: bigint): number => {
  const size = value < 0n ? -value : value;
  if (size >= 10n ** 17n) return Number(value / 1_000_000n);
  return Number(size >= 10n ** 14n ? value / 1_000n : value);
};

const readInt64 = (name: string, raw: unknown): number => {
  const text = typeof raw === 'number' ? String(raw) : raw;
  const value = typeof text === 'string' && /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value > INT64_MAX || value < -INT64_MAX - 1n)
    throw new Malformed(`${name} must be a 64 bit integer`);
  return coarse(value);
};

const readText = (name: string, raw: unknown): string => {
  // No database stores NUL, and a customer's message is not refused for one
  if (typeof raw === 'string') return raw.replaceAll('\0', '');
  if (typeof raw === 'number') return String(raw);
  if (name === 'rawMessage' && typeof raw === 'object') return JSON.stringify(raw);
  throw new Malformed(`${name} must be a string`);
};

const readers: Partial<Record<keyof CallbackPayload, (name: string, raw: unknown) => unknown>> = {
  result: readFlag,
  report: readFlag,
  fromMe: readFlag,
  timestamp: readInt64,
};

/**
 * The fields of a callback from a form (every value a text) or a JSON body, as lenient as chat-backend design 2.2
 * asks: an empty field is an absent one, booleans may be words or digits. Required fields may be missing: what that means
 * depends on `result` and `report`. Throws `Malformed` for any other text in a boolean or int64 field. Unknown fields are
 * left out; a timestamp in micro- or nanoseconds comes back in milliseconds.
 */
export const readCallback = (raw: Readonly<Record<string, unknown>>): Partial<CallbackPayload> =>
  Object.fromEntries(
    callbackFields.flatMap((name) => {
      const value = raw[name];
      return value === undefined || value === null || value === ''
        ? []
        : [[name, (readers[name] ?? readText)(name, value)]];
    }),
  );

/** When it happened: below 1e11 the timestamp is seconds, else milliseconds. */
export const callbackTime = (timestamp: number): Date =>
  new Date(Math.abs(timestamp) >= 1e11 ? timestamp : timestamp * 1000);
