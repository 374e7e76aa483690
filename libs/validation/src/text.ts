import { hasVisible } from '@platform/runtime';
import {
  fieldDecorator,
  refuse,
  REFUSED,
  type FieldOf,
  type FieldOptions,
  type FieldViolation,
  type JsonSchema,
  type Reader,
} from './field';
import { formats, type Rule, type TextFormat } from './formats';
import { PHONE, phoneDigits } from './phone';
import { writeText } from './values';

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  format?: TextFormat;
  pattern?: RegExp;
  /** Tag and text of a failed `pattern`. */
  mismatch?: { tag: string; text: string };
  /** Removes surrounding white space before anything else. */
  trim?: boolean;
  /** For people to read: a text of which nothing is seen counts as absent, as a blank one does. */
  visible?: boolean;
  /** Keeps an empty optional text instead of treating it as absent. */
  keepEmpty?: boolean;
  /** Removes U+0000 instead of refusing the text: a customer's message must not be lost because of it. */
  dropNul?: boolean;
  /** Refuses JSON numbers: ids beyond 2^53 were rounded to another id before anybody could see it. */
  onlyText?: boolean;
}

/**
 * Documented text fields accept numbers too: clients send ids either way. Not beyond 2^53, where reading the JSON has
 * already rounded them: a different id than the one sent would be stored.
 */
export const asText = (raw: unknown): string | undefined => {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'number' && Math.abs(raw) <= Number.MAX_SAFE_INTEGER ? String(raw) : undefined;
};

/** A text as PostgreSQL can store it: U+0000 is refused, half of a surrogate pair becomes U+FFFD. */
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
  (
    rules: readonly Rule[],
    { trim = false, dropNul = false, onlyText = false }: TextOptions,
    normalised: (text: string) => string = (text) => text,
  ): Reader =>
  (raw, field, violations) => {
    const given = onlyText && typeof raw !== 'string' ? undefined : asText(raw);
    if (given === undefined) return refuse(violations, field, 'string', `${field} must be a string`);
    const text = readText(dropNul ? given.replaceAll('\0', '') : given, field, violations);
    if (text === REFUSED) return REFUSED;
    const value = normalised(trim ? text.trim() : text);
    for (const { tag, message, test } of rules) if (!test(value)) return refuse(violations, field, tag, message(field));
    return value;
  };

const isBlank = (raw: unknown): boolean => typeof raw === 'string' && raw.trim() === '';

const isUnseen = (raw: unknown): boolean => typeof raw === 'string' && !hasVisible(raw);

const textField = <Kind extends string>(options: TextOptions, normalised?: (text: string) => string): FieldOf<Kind> => {
  const rules = rulesOf(options);
  const schema: JsonSchema = Object.assign({ type: 'string' }, ...rules.map((rule) => rule.schema));
  const absent = options.keepEmpty ? () => false : options.visible ? isUnseen : isBlank;
  return fieldDecorator(options, textReader(rules, options, normalised), writeText, schema, { absent });
};

/**
 * A text field; `Text<Kind>()` where the format or pattern makes it a text of a narrower type. Blank counts as absent; the
 * first rule that fails is reported, in the order min, max, format, pattern. Lengths are those of JavaScript (UTF-16).
 */
export const Text = <Kind extends string = string>(options: TextOptions = {}): FieldOf<Kind> => textField(options);

/** An e-mail address of at most 254 characters, trimmed and lower-cased (tags `max`, `email`). */
export const Email = (options: FieldOptions = {}): FieldOf<string> =>
  textField({ ...options, trim: true, max: 254, format: 'email' }, (text) => text.toLowerCase());

const SLUG = {
  pattern: /^[a-z0-9-]{3,60}$/,
  mismatch: { tag: 'slug', text: 'must be 3 to 60 small letters, digits or hyphens' },
};

/** A slug for URLs: 3 to 60 lower-case letters, digits and hyphens, trimmed (tag `slug`). */
export const Slug = (options: FieldOptions = {}): FieldOf<string> => textField({ ...options, trim: true, ...SLUG });

const E164 = { pattern: PHONE, mismatch: { tag: 'e164', text: 'must be a valid E.164 formatted phone number' } };

/**
 * A phone number, kept as `phoneDigits` does: `0812..`, `+62 812-..` and `62812..` become `62812..` (tag `e164`). A
 * leading 0 stands for `countryCode`, 62 by default.
 */
export const Phone = ({ countryCode, ...options }: FieldOptions & { countryCode?: string } = {}): FieldOf<string> =>
  textField({ ...options, ...E164 }, (text) => phoneDigits(text, countryCode) ?? text);

/** One of a fixed set of texts (tag `oneof`). An empty text counts as absent unless it is one of them. */
export const Choice = <const Kind extends string>(
  choices: readonly Kind[],
  options: FieldOptions = {},
): FieldOf<Kind> => {
  const read: Reader = (raw, field, violations) => {
    const value = asText(raw);
    if (value === undefined) return refuse(violations, field, 'string', `${field} must be a string`);
    return (choices as readonly string[]).includes(value)
      ? value
      : refuse(violations, field, 'oneof', `${field} must be one of [${choices.join(' ')}]`);
  };
  return fieldDecorator(
    options,
    read,
    writeText,
    { type: 'string', enum: choices },
    { absent: (raw) => isBlank(raw) && !choices.includes(raw as Kind) },
  );
};
