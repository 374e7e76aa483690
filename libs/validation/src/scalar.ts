import { fieldDecorator, refuse, type FieldOf, type FieldOptions, type JsonSchema, type Reader } from './field';
import { writeFlag, writeNumber } from './values';

/**
 * `words`: texts are read in JSON too, as they always are in forms and queries (`true false 1 0 t f on` in any case, digits).
 * Only for bodies whose contract documents them so.
 */
export interface ScalarOptions extends FieldOptions {
  words?: boolean;
}

export interface NumberOptions extends ScalarOptions {
  min?: number;
  max?: number;
}

const WORDS = new Map(Object.entries({ true: true, '1': true, t: true, on: true, false: false, '0': false, f: false }));
const isEmpty = (raw: unknown): boolean => raw === '';

/** A boolean (tag `boolean`): JSON booleans; in forms and queries their words. The text "false" is never true. */
export const Flag = <Kind extends boolean = boolean>(options: ScalarOptions = {}): FieldOf<Kind> => {
  const read: Reader = (raw, field, violations, from) => {
    if (typeof raw === 'boolean') return raw;
    const word =
      (options.words || from !== 'json') && (typeof raw === 'string' || typeof raw === 'number')
        ? WORDS.get(String(raw).toLowerCase())
        : undefined;
    return word ?? refuse(violations, field, 'boolean', `${field} must be a valid boolean value`);
  };
  return fieldDecorator(options, read, writeFlag, { type: 'boolean' }, { absent: isEmpty });
};

/** The syntax of a number in a text, and its value. */
interface Notation {
  readonly shape: RegExp;
  readonly valueOf: (text: string) => number;
}

/** NaN when it is no number. */
const numberOf = (raw: unknown, { shape, valueOf }: Notation, words: boolean): number => {
  if (typeof raw === 'number') return raw;
  return words && typeof raw === 'string' && shape.test(raw) ? valueOf(raw) : Number.NaN;
};

const numberReader =
  ({ min, max, words }: NumberOptions, notation: Notation, whole: boolean): Reader =>
  (raw, field, violations, from) => {
    const value = numberOf(raw, notation, words || from !== 'json');
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER) || (whole && !Number.isInteger(value)))
      return refuse(
        violations,
        field,
        whole ? 'integer' : 'number',
        `${field} must be a${whole ? 'n integer' : ' number'}`,
      );
    if (min !== undefined && value < min) return refuse(violations, field, 'min', `${field} must be ${min} or greater`);
    if (max !== undefined && value > max) return refuse(violations, field, 'max', `${field} must be ${max} or less`);
    return value;
  };

const INTEGER: Notation = { shape: /^-?\d{1,16}$/, valueOf: Number };
const DECIMAL: Notation = { shape: /^-?\d+(\.\d+)?$/, valueOf: Number };
/** With or without dots as thousands separators, as in Indonesian: 150.000 is 150000. */
const AMOUNT: Notation = {
  shape: /^(\d{1,13}|\d{1,3}(\.\d{3}){1,4})$/,
  valueOf: (text) => Number(text.replaceAll('.', '')),
};

const bounds = ({ min, max }: NumberOptions) => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(max === undefined ? {} : { maximum: max }),
});

const numberField = (options: NumberOptions, notation: Notation, schema: JsonSchema): FieldOf<number> => {
  const read = numberReader(options, notation, schema.type === 'integer');
  return fieldDecorator(options, read, writeNumber, { ...schema, ...bounds(options) }, { absent: isEmpty });
};

/** A safe integer (tags `integer`, `min`, `max`). */
export const Int = (options: NumberOptions = {}): FieldOf<number> => numberField(options, INTEGER, { type: 'integer' });

/**
 * A number within 2^53 (tags `number`, `min`, `max`). It is a double: fractions are approximate, so money is not a Decimal,
 * and whatever must keep every digit is a Text.
 */
export const Decimal = (options: NumberOptions = {}): FieldOf<number> =>
  numberField(options, DECIMAL, { type: 'number' });

const MOST_MONEY = 1_000_000_000_000;

/**
 * Money in whole minor units of its currency, by default 0 to 10^12 (tags `integer`, `min`, `max`). JSON
 * carries it as a number; forms and queries may group thousands by dots ("150.000"). In answers a bigint is written as a
 * number.
 */
export const Money = (options: NumberOptions = {}): FieldOf<number> =>
  numberField({ min: 0, max: MOST_MONEY, ...options }, AMOUNT, { type: 'integer', format: 'int64' });
