import {
  fieldDecorator,
  refuse,
  REFUSED,
  type FieldOptions,
  type FieldViolation,
  type JsonSchema,
  type Reader,
} from './field';
import { formats, type Rule, type TextFormat } from './formats';

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  format?: TextFormat;
  pattern?: RegExp;
  /** Tag and text of a failed `pattern`. */
  mismatch?: { tag: string; text: string };
  /** Removes surrounding white space before anything else. */
  trim?: boolean;
  /** Keeps an empty optional text instead of treating it as absent. */
  keepEmpty?: boolean;
  /** Removes U+0000 instead of refusing the text: what a customer wrote must not be lost over it. */
  dropNul?: boolean;
}

/** Documented text fields accept numbers too: clients send ids either way. */
const asText = (raw: unknown): string | undefined =>
  typeof raw === 'string' ? raw : typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : undefined;

/** What PostgreSQL can store of a text, or that it cannot: U+0000 is refused, half of a surrogate pair becomes U+FFFD. */
export const readText = (raw: string, field: string, violations: FieldViolation[]): string | typeof REFUSED =>
  raw.includes('\0')
    ? refuse(violations, field, 'excludesrune', `${field} cannot contain the following 'U+0000'`)
    : raw.replace(/\p{Surrogate}/gu, '\uFFFD');

const rulesOf = ({ min, max, format, pattern, mismatch }: TextOptions): Rule[] => [
  ...(min === undefined
    ? []
    : [
        {
          tag: 'min',
          message: (f: string) => `${f} must be at least ${min} characters in length`,
          test: (v: string) => v.length >= min,
          schema: { minLength: min },
        },
      ]),
  ...(max === undefined
    ? []
    : [
        {
          tag: 'max',
          message: (f: string) => `${f} must be a maximum of ${max} characters in length`,
          test: (v: string) => v.length <= max,
          schema: { maxLength: max },
        },
      ]),
  ...(format === undefined ? [] : [formats[format]]),
  ...(pattern === undefined
    ? []
    : [
        {
          tag: mismatch?.tag ?? 'format',
          message: (f: string) => `${f} ${mismatch?.text ?? 'has an invalid format'}`,
          test: (v: string) => pattern.test(v),
          schema: { pattern: pattern.source },
        },
      ]),
];

const textReader =
  (rules: readonly Rule[], { trim = false, dropNul = false }: TextOptions): Reader =>
  (raw, field, violations) => {
    const given = asText(raw);
    if (given === undefined) return refuse(violations, field, 'string', `${field} must be a string`);
    const text = readText(dropNul ? given.replaceAll('\0', '') : given, field, violations);
    if (text === REFUSED) return REFUSED;
    const value = trim ? text.trim() : text;
    for (const { tag, message, test } of rules) if (!test(value)) return refuse(violations, field, tag, message(field));
    return value;
  };

const isBlank = (raw: unknown): boolean => typeof raw === 'string' && raw.trim() === '';

/** A text field. Blank counts as absent; the first rule that fails is reported, in the order min, max, format, pattern. */
export const Text = (options: TextOptions = {}): PropertyDecorator => {
  const rules = rulesOf(options);
  const schema: JsonSchema = Object.assign({ type: 'string' }, ...rules.map((rule) => rule.schema));
  return fieldDecorator(options, textReader(rules, options), schema, options.keepEmpty ? {} : { absent: isBlank });
};

/** One of a fixed set of texts (tag `oneof`). An empty text counts as absent unless it is one of them. */
export const Choice = (choices: readonly string[], options: FieldOptions = {}): PropertyDecorator => {
  const read: Reader = (raw, field, violations) => {
    const value = asText(raw);
    if (value === undefined) return refuse(violations, field, 'string', `${field} must be a string`);
    return choices.includes(value)
      ? value
      : refuse(violations, field, 'oneof', `${field} must be one of [${choices.join(' ')}]`);
  };
  return fieldDecorator(
    options,
    read,
    { type: 'string', enum: choices },
    { absent: (raw) => isBlank(raw) && !choices.includes(raw as string) },
  );
};
