import { openapi, type Service } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { Ingredients, Random } from './fuzz-ingredients';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** One of the texts that fit, or a value from `other`. */
const oneOf = (r: Random, texts: readonly string[], looks: RegExp, other: () => string): string => {
  const fitting = texts.filter((each) => looks.test(each));
  return fitting.length > 0 && r.chance(0.5) ? r.pick(fitting) : other();
};

const text = (r: Random, { format, pattern }: Schema, { texts }: Ingredients): string => {
  switch (format) {
    case 'uuid':
      return oneOf(r, texts, UUID, uuidv7);
    case 'email':
      return oneOf(r, texts, /@/, () => `fuzz${r.below(1e6)}@toko-nusa.example`);
    case 'uri':
      return `https://127.0.0.1:9/${r.below(1e6)}`;
    case 'date-time':
      return new Date(r.below(2 ** 41)).toISOString();
    case 'date':
      return new Date(r.below(2 ** 41)).toISOString().slice(0, 10);
    default:
      return pattern ? String(r.below(1000)) : r.pick(texts);
  }
};

type Schemas = Description['components']['schemas'];

/** Values that are valid by their schema. */
const maker = (r: Random, schemas: Schemas, good: Ingredients) => {
  const object = ({ properties = {}, required = [] }: Schema): unknown => {
    const present = Object.entries(properties).filter(([key]) => required.includes(key) || r.chance(0.3));
    return Object.fromEntries(present.map(([key, property]) => [key, make(property, key)]));
  };
  const array = ({ items = {}, minItems = 0 }: Schema): unknown =>
    Array.from({ length: minItems + r.below(3) }, () => make(items));
  const make = (schema: Schema, name = ''): unknown => {
    const known = good.fields?.[name];
    if (known && r.chance(0.85)) return r.pick(known);
    if (schema.$ref) return make(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    if (schema.enum) return r.pick(schema.enum);
    if (schema.type === 'array') return array(schema);
    if (schema.type === 'object') return object(schema);
    return scalar(schema);
  };
  const scalar = (schema: Schema): unknown => {
    const { type, minimum = 0 } = schema;
    if (type === 'integer' || type === 'number') return minimum + r.below(5);
    return type === 'boolean' ? r.chance(0.5) : text(r, schema, good);
  };
  return make;
};

/** Generates requests that are valid by the service's own description, so that mutations get past the first check. */
export const describedRequests = (service: Service, r: Random) => {
  const { paths, components } = openapi(service) as unknown as Description;
  const bodySchema = (path: string, method: string): Schema | undefined =>
    Object.values(paths[path]?.[method]?.requestBody?.content ?? {})[0]?.schema;

  return {
    /** Names of all fields of all bodies and queries: any of them may appear anywhere. */
    fields: [
      ...new Set([
        ...Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties)),
        ...['constructor', '__proto__', 'unknown'],
      ]),
    ],
    body: (path: string, method: string, good: Ingredients): object =>
      (maker(r, components.schemas, good)(bodySchema(path, method) ?? { type: 'object' }) ?? {}) as object,
    query: (path: string, method: string, good: Ingredients): Record<string, string> => {
      const named = (paths[path]?.[method]?.parameters ?? []).filter((each) => each.in === 'query' && r.chance(0.5));
      const make = maker(r, components.schemas, good);
      return Object.fromEntries(named.map(({ name, schema }) => [name, String(make(schema, name))]));
    },
  };
};
