import { openapi, type Service } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { Ingredients, Random } from './fuzz.fixture';

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

/** Makes requests that are right by the service's own description: what is mutated afterwards gets past the first check. */
export const describedRequests = (service: Service, r: Random) => {
  const { paths, components } = openapi(service) as unknown as Description;

  const text = ({ format, pattern }: Schema, { texts }: Ingredients): string => {
    if (format === 'uuid') return r.chance(0.5) ? (r.pick(texts.slice(0, 2)) as string) : uuidv7();
    if (format === 'email') return r.chance(0.5) ? `fuzz${r.below(1e6)}@toko-nusa.example` : (texts[2] as string);
    if (format === 'date-time') return new Date(r.below(2 ** 41)).toISOString();
    return pattern ? String(r.below(1000)) : r.pick(texts);
  };

  const make = (schema: Schema, good: Ingredients): unknown => {
    const { $ref, type, enum: choices, items, minimum = 0, minItems = 0 } = schema;
    if ($ref) return make(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, good);
    if (choices) return r.pick(choices);
    if (type === 'integer' || type === 'number') return minimum + r.below(5);
    if (type === 'boolean') return r.chance(0.5);
    if (type === 'array') return Array.from({ length: minItems + r.below(3) }, () => make(items ?? {}, good));
    if (type !== 'object') return text(schema, good);
    const { properties = {}, required = [] } = schema;
    const present = Object.entries(properties).filter(([name]) => required.includes(name) || r.chance(0.3));
    return Object.fromEntries(present.map(([name, property]) => [name, make(property, good)]));
  };

  const bodySchema = (path: string, method: string): Schema | undefined =>
    Object.values(paths[path]?.[method]?.requestBody?.content ?? {})[0]?.schema;

  return {
    /** Names of every field of every body and query: any of them may turn up anywhere. */
    fields: [
      ...new Set([
        ...Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties)),
        ...['constructor', '__proto__', 'unknown'],
      ]),
    ],
    body: (path: string, method: string, good: Ingredients): object =>
      (make(bodySchema(path, method) ?? { type: 'object' }, good) ?? {}) as object,
    query: (path: string, method: string, good: Ingredients): Record<string, string> => {
      const named = (paths[path]?.[method]?.parameters ?? []).filter((each) => each.in === 'query' && r.chance(0.5));
      return Object.fromEntries(named.map(({ name, schema }) => [name, String(make(schema, good))]));
    },
  };
};
