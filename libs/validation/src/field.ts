import { cut } from '@platform/runtime';

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What is wrong with one field: wire name, go-playground tag, English text. */
export interface FieldViolation {
  readonly field: string;
  readonly tag: string;
  readonly message: string;
}

export type DtoClass<T extends object = object> = new () => T;

/** Returned by a reader whose value broke a rule; the violations are in the list. */
export const REFUSED = Symbol('refused');

/** Where values come from. JSON has types; forms and queries have only texts, which their fields convert. */
export type Source = 'json' | 'form' | 'query';

/** Turns a raw value into the typed one, or adds to `violations` and returns `REFUSED`. */
export type Reader = (raw: unknown, field: string, violations: FieldViolation[], from: Source) => unknown;

/**
 * Turns a value of an answer into what goes on the wire; `member` (`Product.price`) names it in errors. Throws a TypeError
 * when the value cannot be written as what the field documents.
 */
export type FieldWriter = (value: unknown, member: string, groups: ReadonlySet<string>) => unknown;

export interface FieldOptions {
  /** May be absent, null or empty; then the property is left out. */
  optional?: boolean;
  /** Required only when none of these fields is given (tag `required_without`). Implies `optional`. */
  requiredWithout?: readonly string[];
  /** Of a change: null is not the same as absent but empties what is there, and reaches the handler. Implies `optional`. */
  clearable?: boolean;
  /** What null stands for in a `clearable` field, null itself unless given. */
  emptied?: unknown;
  /** May be null in an answer. For documentation only. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

export interface Field {
  readonly name: string;
  readonly options: FieldOptions;
  readonly read: Reader;
  readonly write: FieldWriter;
  readonly schema: JsonSchema | (() => JsonSchema);
  /** Absent values beyond undefined and null; a text counts as absent when it is blank. */
  readonly absent: (raw: unknown, from: Source) => boolean;
  /** The DTO that the schema refers to. A function, because classes may name each other before they exist. */
  readonly refersTo?: () => DtoClass;
  /** Several DTOs, for answers whose rows come in more than one shape. */
  readonly refersToAny?: () => readonly DtoClass[];
}

const registry = new Map<object, Field[]>();

export const registerField = (prototype: object, field: Field): void => {
  const own = registry.get(prototype) ?? [];
  own.push(field);
  registry.set(prototype, own);
};

/** Fields in declaration order, those of the parent class first; a redeclared field replaces its parent's in place. */
export const fieldsOf = (dto: DtoClass): Field[] => {
  const fields = new Map<string, Field>();
  const chain: object[] = [];
  for (
    let at: object | null = dto.prototype as object;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    chain.unshift(at);
  for (const prototype of chain) for (const field of registry.get(prototype) ?? []) fields.set(field.name, field);
  return [...fields.values()];
};

/** Most violations of an answer: a list of a hundred thousand wrong items must not become an answer thirty times its size. */
export const MOST_VIOLATIONS = 100;

const LONGEST_NAME = 100;
/** A name made up by the client, as a violation repeats it: truncated, so that a refusal stays small. */
export const told = (name: string): string => cut(name, LONGEST_NAME);

export const refuse = (violations: FieldViolation[], field: string, tag: string, message: string): typeof REFUSED => {
  violations.push({ field, tag, message });
  return REFUSED;
};

/** The value that an empty form input sends. */
const emptyOutsideJson: Field['absent'] = (raw, from) => raw === '' && from !== 'json';

type Holds<Read, Held> = [Read] extends [Held]
  ? unknown
  : { readonly 'the property is narrower than what its decorator reads': Read };

/**
 * A decorator for properties of exactly the type it describes, neither wider (an answer would break its documentation) nor narrower
 * (a handler would meet values that its types exclude). Anything else does not compile. `Given` is what an answer may
 * hold, `Read` what a request brings.
 */
export type FieldOf<Given, Read = Given> = <K extends string, Dto extends { [P in K]?: Given | null }>(
  dto: Dto & Holds<Read, Dto[K]>,
  property: K,
) => void;

/** Creates a decorator from a reader, a writer and a schema. */
export const fieldDecorator =
  <Given, Read = Given>(
    options: FieldOptions,
    read: Reader,
    write: FieldWriter,
    schema: Field['schema'],
    more: Partial<Pick<Field, 'absent' | 'refersTo' | 'refersToAny'>> = {},
  ): FieldOf<Given, Read> =>
  (prototype, name) =>
    registerField(prototype, { name, options, read, write, schema, absent: emptyOutsideJson, ...more });
