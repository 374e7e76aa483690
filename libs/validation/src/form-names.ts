import { told, type FieldViolation } from './field';
import type { Parsed } from './parsed';

const MOST_FIELDS = 200;
const DEEPEST = 4;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const INDEX = /^(0|[1-9]\d{0,2})$/;

type Branch = Map<string, unknown>;

/** `items[0][qty]` as `items`, `0`, `qty`; `tags[]` as `tags`; undefined for brackets that do not match. */
const partsOf = (name: string): string[] | undefined => {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]+\])*)(?:\[\])?$/.exec(name) ?? [];
  return first === undefined
    ? undefined
    : [first, ...[...rest.matchAll(/\[([^[\]]+)\]/g)].map(([, part]) => String(part))];
};

/** Sets a value at its path; false when the path is taken. */
const plant = (root: Branch, parts: readonly string[], value: unknown): boolean => {
  let at = root;
  for (const part of parts.slice(0, -1)) {
    if (!at.has(part)) at.set(part, new Map());
    const next = at.get(part);
    if (!(next instanceof Map)) return false;
    at = next;
  }
  const last = String(parts.at(-1));
  if (at.has(last)) return false;
  at.set(last, value);
  return true;
};

/** A branch whose keys are all indexes is a list, which has no gaps. */
const grown = (value: unknown, field: string, violations: FieldViolation[]): unknown => {
  if (!(value instanceof Map)) return value;
  const keys = [...(value as Branch).keys()];
  const inside = (key: string) => grown((value as Branch).get(key), field ? `${field}[${key}]` : key, violations);
  if (field === '' || !keys.every((key) => INDEX.test(key)))
    return Object.fromEntries(keys.map((key) => [key, inside(key)]));
  const name = told(field);
  if (!keys.every((key) => Number(key) < keys.length))
    violations.push({ field: name, tag: 'array', message: `${name} must be numbered from 0 without gaps` });
  return keys.sort((one, other) => Number(one) - Number(other)).map(inside);
};

const misnamed = (given: string, parts: readonly string[] | undefined): FieldViolation | undefined => {
  const field = told(given);
  if (!parts || parts.some((part) => FORBIDDEN.has(part)))
    return { field, tag: 'name', message: `${field} is no name of a field` };
  return parts.length > DEEPEST
    ? { field, tag: 'max', message: `${field} must be nested at most ${DEEPEST} deep` }
    : undefined;
};

/**
 * The fields of a form as the object that their names describe: `items[0][qty]=2` is `{ items: [{ qty: '2' }] }`,
 * `tags[]=a` is `{ tags: 'a' }`. At most 200 fields, names of at most 4 parts, indexes from 0 without gaps, every member
 * named once; `__proto__`, `constructor` and `prototype` are refused. The violations quote the names as sent, truncated
 * when they are long.
 */
export const nestedNames = (fields: Readonly<Record<string, unknown>>): Parsed<Record<string, unknown>> => {
  const names = Object.keys(fields);
  const most = `a form must have at most ${MOST_FIELDS} fields`;
  if (names.length > MOST_FIELDS) return { violations: [{ field: '', tag: 'max', message: most }] };
  const root: Branch = new Map();
  const violations: FieldViolation[] = [];
  for (const name of names) {
    const parts = partsOf(name);
    const wrong = misnamed(name, parts);
    if (wrong) violations.push(wrong);
    else if (parts && !plant(root, parts, fields[name]))
      violations.push({ field: told(name), tag: 'unique', message: `${told(name)} is given twice` });
  }
  const value = grown(root, '', violations) as Record<string, unknown>;
  return violations.length > 0 ? { violations } : { value };
};
