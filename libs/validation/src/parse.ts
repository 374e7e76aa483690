import {
  fieldsOf,
  MOST_VIOLATIONS,
  refuse,
  REFUSED,
  told,
  type DtoClass,
  type Field,
  type FieldViolation,
  type Source,
} from './field';
import { foreignRules } from './foreign';
import { nestedNames } from './form-names';
import type { Parsed } from './parsed';

export type { Parsed } from './parsed';
export type UnknownKeys = 'ignore' | 'refuse';

type Step = (
  source: Record<string, unknown>,
  target: Record<string, unknown>,
  prefix: string,
  violations: FieldViolation[],
  from: Source,
) => void;

const isAbsent = (field: Field, raw: unknown, from: Source): boolean =>
  raw === undefined || raw === null || field.absent(raw, from);

const missing = (field: Field, source: Record<string, unknown>): string | undefined => {
  const { optional, clearable, requiredWithout } = field.options;
  if (requiredWithout)
    return requiredWithout.every(
      (other) => source[other] === undefined || source[other] === null || source[other] === '',
    )
      ? 'required_without'
      : undefined;
  return optional || clearable ? undefined : 'required';
};

const stepOf = (dto: DtoClass, field: Field): Step => {
  const { name, read } = field;
  const { clearable, emptied = null } = field.options;
  const rules = foreignRules(dto, name);
  return (source, target, prefix, violations, from) => {
    const raw = source[name];
    const label = prefix + name;
    // A form has no null: whoever empties an input wants nothing there
    if (clearable && (raw === null || (from === 'form' && raw === ''))) {
      target[name] = structuredClone(emptied);
      return;
    }
    if (isAbsent(field, raw, from)) {
      const tag = missing(field, source);
      if (tag) refuse(violations, label, tag, `${label} is a required field`);
      return;
    }
    const value = read(raw, label, violations, from);
    if (value === REFUSED) return;
    for (const rule of rules)
      if (!rule.test(value, target)) return void refuse(violations, label, rule.tag, rule.message(label));
    target[name] = value;
  };
};

interface Plan {
  readonly steps: readonly Step[];
  readonly fields: ReadonlyMap<string, Field>;
}

const plans = new Map<DtoClass, Plan>();

/** A DTO's metadata is compiled once into a flat list of closures; a request then costs one call per field. */
const planOf = (dto: DtoClass): Plan => {
  const known = plans.get(dto);
  if (known) return known;
  const fields = fieldsOf(dto);
  const plan = {
    steps: fields.map((field) => stepOf(dto, field)),
    fields: new Map(fields.map((field) => [field.name, field])),
  };
  plans.set(dto, plan);
  return plan;
};

/** Reads `source` into a new DTO; violations are added to the list, named with `prefix`. */
export const readInto = (
  dto: DtoClass,
  source: Record<string, unknown>,
  prefix: string,
  violations: FieldViolation[],
  from: Source,
): object | typeof REFUSED => {
  const before = violations.length;
  const target = new dto() as Record<string, unknown>;
  for (const step of planOf(dto).steps) step(source, target, prefix, violations, from);
  return violations.length > before ? REFUSED : target;
};

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Keys that no DTO declares, including those in nested objects and lists of objects. */
const refuseUnknown = (dto: DtoClass, raw: unknown, prefix: string, violations: FieldViolation[]): void => {
  if (!isObject(raw)) return;
  const { fields } = planOf(dto);
  for (const [key, value] of Object.entries(raw)) {
    const field = fields.get(key);
    const name = told(prefix + key);
    if (!field) refuse(violations, name, 'unknown', `${name} is not a known field`);
    const inner = field?.refersTo?.();
    if (!inner) continue;
    if (!Array.isArray(value)) refuseUnknown(inner, value, `${prefix}${key}.`, violations);
    else value.forEach((item, index) => refuseUnknown(inner, item, `${prefix}${key}[${index}].`, violations));
  }
};

export interface ParseOptions {
  /** `refuse`: keys that the DTO does not declare are violations at every depth (tag `unknown`); otherwise they are dropped. */
  readonly unknownKeys?: UnknownKeys;
  /** JSON by default. Numbers and flags are read from texts in forms and queries, never in JSON. */
  readonly from?: Source;
}

const EMPTY = {};

/** Nests the names of a form, if any is nested. */
const nested = (source: Record<string, unknown>): Parsed<Record<string, unknown>> => {
  for (const name in source) if (name.includes('[')) return nestedNames(source);
  return { value: source };
};

/**
 * The typed value of a raw body, query or parameter object: at most one violation per field and 100 in all, in DTO order. Anything but an
 * object reads as empty. In forms and queries an empty text counts as absent; the names of a form are nested (`nestedNames`).
 */
export const parse = <T extends object>(
  dto: DtoClass<T>,
  raw: unknown,
  { unknownKeys = 'ignore', from = 'json' }: ParseOptions = EMPTY,
): Parsed<T> => {
  const given = isObject(raw) ? raw : EMPTY;
  const { value: source, violations: misnamed } = from === 'form' ? nested(given) : { value: given };
  if (misnamed) return { violations: misnamed };
  const violations: FieldViolation[] = [];
  const value = readInto(dto, source, '', violations, from);
  if (unknownKeys === 'refuse') refuseUnknown(dto, source, '', violations);
  return violations.length > 0 ? { violations: violations.slice(0, MOST_VIOLATIONS) } : { value: value as T };
};
