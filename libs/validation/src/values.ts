import type { FieldWriter } from './field';

const nameOf = (value: unknown): string => {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** A handler's value does not match its documented reply: a bug, named for the log. */
export const mismatch = (member: string, wanted: string, value: unknown): never => {
  throw new TypeError(`The reply ${member} must be ${wanted}, the handler gave ${nameOf(value)}`);
};

/** The value of an object with `toJSON`: a date is its ISO 8601 text, an invalid one null. */
export const asJson = (value: object): unknown => {
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value;
};

const scalar = (value: unknown, member: string, wanted: string, ofBigint: (value: bigint) => unknown): unknown => {
  switch (typeof value) {
    case 'object': {
      if (value === null) return null;
      const plain = asJson(value);
      return typeof plain === 'object' && plain !== null ? mismatch(member, wanted, value) : plain;
    }
    case 'bigint':
      return ofBigint(value);
    default:
      return value;
  }
};

/** Texts, dates as ISO 8601, bigints digit by digit. */
export const writeText: FieldWriter = (value, member) => scalar(value, member, 'a text', String);

const exactNumber = (value: bigint, member: string): number =>
  Number.isSafeInteger(Number(value)) ? Number(value) : mismatch(member, 'a number that JSON carries exactly', value);

/** Null and undefined stay; anything else must match the documented member by now. */
const only = (value: unknown, is: (plain: unknown) => boolean, member: string, wanted: string): unknown =>
  value === null || value === undefined || is(value) ? value : mismatch(member, wanted, value);

/** Numbers that JSON has, so neither NaN nor an infinity; a bigint only when a JSON number holds it exactly. */
export const writeNumber: FieldWriter = (value, member) => {
  if (Number.isFinite(value)) return value;
  const plain = scalar(value, member, 'a number', (big) => exactNumber(big, member));
  return only(plain, Number.isFinite, member, 'a number');
};

export const writeFlag: FieldWriter = (value, member) => {
  if (typeof value === 'boolean') return value;
  const plain = scalar(value, member, 'a truth value', (big) => mismatch(member, 'a truth value', big));
  return only(plain, (each) => typeof each === 'boolean', member, 'a truth value');
};

/** Foreign JSON is sent as it is. */
export const writeAnything: FieldWriter = (value) => value;

/** A list whose items are written one by one; nothing where a list is expected is null. */
export const listWriter =
  (item: FieldWriter): FieldWriter =>
  (value, member, groups) => {
    if (value === null) return null;
    if (!Array.isArray(value)) return mismatch(member, 'a list', value);
    return value.map((each) => item(each, member, groups) ?? null);
  };
