import { fieldDecorator, refuse, type FieldOptions, type Reader } from './field';

/** `words`: forms carry texts, so `true false 1 0 t f` in any case and numeric texts are read too. */
export interface ScalarOptions extends FieldOptions {
  words?: boolean;
}

export interface NumberOptions extends ScalarOptions {
  min?: number;
  max?: number;
}

const WORDS: Record<string, boolean> = { true: true, '1': true, t: true, false: false, '0': false, f: false };
const isEmpty = (raw: unknown): boolean => raw === '';

/** A truth value (tag `boolean`). JSON booleans; with `words` also the texts forms use. The text "false" is never true. */
export const Flag = (options: ScalarOptions = {}): PropertyDecorator => {
  const read: Reader = (raw, field, violations) => {
    if (typeof raw === 'boolean') return raw;
    const word =
      options.words && (typeof raw === 'string' || typeof raw === 'number')
        ? WORDS[String(raw).toLowerCase()]
        : undefined;
    return word ?? refuse(violations, field, 'boolean', `${field} must be a valid boolean value`);
  };
  return fieldDecorator(options, read, { type: 'boolean' }, { absent: isEmpty });
};

const numberReader =
  ({ min, max, words }: NumberOptions, shape: RegExp, whole: boolean): Reader =>
  (raw, field, violations) => {
    const value =
      typeof raw === 'number' ? raw : words && typeof raw === 'string' && shape.test(raw) ? Number(raw) : Number.NaN;
    if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value)))
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

const numberSchema = (type: string, { min, max }: NumberOptions) => ({
  type,
  ...(min === undefined ? {} : { minimum: min }),
  ...(max === undefined ? {} : { maximum: max }),
});

/** A whole number inside the safe integers (tags `integer`, `min`, `max`). */
export const Int = (options: NumberOptions = {}): PropertyDecorator =>
  fieldDecorator(options, numberReader(options, /^-?\d{1,16}$/, true), numberSchema('integer', options), {
    absent: isEmpty,
  });

/** A finite number (tags `number`, `min`, `max`). */
export const Decimal = (options: NumberOptions = {}): PropertyDecorator =>
  fieldDecorator(options, numberReader(options, /^-?\d+(\.\d+)?$/, false), numberSchema('number', options), {
    absent: isEmpty,
  });
