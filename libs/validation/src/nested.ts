import {
  fieldDecorator,
  refuse,
  REFUSED,
  type DtoClass,
  type FieldOptions,
  type FieldViolation,
  type Reader,
} from './field';
import { readInto } from './parse';
import { schemaReference } from './schema';
import { readText } from './text';

export interface ListOptions extends FieldOptions {
  min?: number;
  max?: number;
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** An object described by another DTO; its violations are named `field.inner`. */
export const Nested = (dto: () => DtoClass, options: FieldOptions = {}): PropertyDecorator => {
  const read: Reader = (raw, field, violations) =>
    isObject(raw)
      ? readInto(dto(), raw, `${field}.`, violations)
      : refuse(violations, field, 'object', `${field} must be an object`);
  return fieldDecorator(options, read, () => schemaReference(dto()), { refersTo: dto });
};

const DEEPEST = 32;

/** Foreign JSON as PostgreSQL can store it: its texts and keys by the rules of `readText`, nested no deeper than 32. */
const readJson = (raw: unknown, field: string, violations: FieldViolation[], depth = 0): unknown => {
  if (typeof raw === 'string') return readText(raw, field, violations);
  if (typeof raw !== 'object' || raw === null) return raw;
  if (depth === DEEPEST) return refuse(violations, field, 'max', `${field} must be nested at most ${DEEPEST} deep`);
  const before = violations.length;
  const read = (value: unknown) =>
    violations.length > before ? REFUSED : readJson(value, field, violations, depth + 1);
  const value = Array.isArray(raw)
    ? raw.map(read)
    : Object.fromEntries(Object.entries(raw).map(([key, inner]) => [String(read(key)), read(inner)]));
  return violations.length > before ? REFUSED : value;
};

/** An object of any shape; only what PostgreSQL cannot store of it is refused or replaced, as in a text. */
export const Json = (options: FieldOptions = {}): PropertyDecorator => {
  const read: Reader = (raw, field, violations) =>
    isObject(raw)
      ? readJson(raw, field, violations)
      : refuse(violations, field, 'object', `${field} must be an object`);
  return fieldDecorator(options, read, { type: 'object', additionalProperties: true });
};

/** Anything at all, by the same rules; documents answers whose shape is another service's. */
export const Anything = (options: FieldOptions = {}): PropertyDecorator =>
  fieldDecorator({ optional: true, ...options }, readJson, {});

const listReader =
  (item: Reader, { min, max }: ListOptions): Reader =>
  (raw, field, violations) => {
    if (!Array.isArray(raw)) return refuse(violations, field, 'array', `${field} must be an array`);
    if (min !== undefined && raw.length < min)
      return refuse(violations, field, 'min', `${field} must contain at least ${min} items`);
    if (max !== undefined && raw.length > max)
      return refuse(violations, field, 'max', `${field} must contain at maximum ${max} items`);
    const before = violations.length;
    const values = raw.map((value, index) => item(value, `${field}[${index}]`, violations));
    return violations.length > before ? REFUSED : values;
  };

/** A list of objects of another DTO; violations are named `field[0].inner`. */
export const List = (dto: () => DtoClass, options: ListOptions = {}): PropertyDecorator => {
  const item: Reader = (raw, field, violations) =>
    isObject(raw)
      ? readInto(dto(), raw, `${field}.`, violations)
      : refuse(violations, field, 'object', `${field} must be an object`);
  return fieldDecorator(
    options,
    listReader(item, options),
    () => ({ type: 'array', items: schemaReference(dto()), ...bounds(options) }),
    { refersTo: dto },
  );
};

/** A list whose rows are all of one of several DTOs; documents answers, takes what it gets. */
export const ListOfOne = (dtos: () => readonly DtoClass[], options: FieldOptions = {}): PropertyDecorator =>
  fieldDecorator(
    options,
    (raw) => raw,
    () => ({ oneOf: dtos().map((dto) => ({ type: 'array', items: schemaReference(dto) })) }),
    { refersToAny: dtos },
  );

/** A list of texts. */
export const Texts = (options: ListOptions & { maxLength?: number } = {}): PropertyDecorator => {
  const item: Reader = (raw, field, violations) => {
    const value = typeof raw === 'number' ? String(raw) : raw;
    if (typeof value !== 'string') return refuse(violations, field, 'string', `${field} must be a string`);
    if (options.maxLength !== undefined && value.length > options.maxLength)
      return refuse(
        violations,
        field,
        'max',
        `${field} must be a maximum of ${options.maxLength} characters in length`,
      );
    return readText(value, field, violations);
  };
  return fieldDecorator(options, listReader(item, options), {
    type: 'array',
    items: { type: 'string' },
    ...bounds(options),
  });
};

const bounds = ({ min, max }: ListOptions) => ({
  ...(min === undefined ? {} : { minItems: min }),
  ...(max === undefined ? {} : { maxItems: max }),
});
