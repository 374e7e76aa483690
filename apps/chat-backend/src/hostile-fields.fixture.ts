import { openapi, type Service } from '@platform/http';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Where a text of a body stands: names of members, and 0 for the first of a list. */
export interface TextField {
  readonly at: readonly (string | 0)[];
  readonly maxLength: number | undefined;
}

const isText = ({ type }: Schema): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));

/** Every text that an operation takes, as its own description says. */
export const textFieldsOf = (service: Service) => {
  const { paths, components } = openapi(service) as unknown as Description;
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const within = (schema: Schema, at: TextField['at']): TextField[] => {
    const { properties, items, ...known } = resolved(schema);
    return [
      ...(isText(known) ? [{ at, maxLength: known.maxLength }] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, one]) => within(one, [...at, name])),
      ...(items ? within(items, [...at, 0]) : []),
    ];
  };
  return (method: string, path: string): { body: TextField[]; query: string[] } => {
    const { requestBody, parameters = [] } = paths[path]?.[method.toLowerCase()] ?? {};
    const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => within(schema, []));
    const unique = new Map(bodies.map((field) => [field.at.join('.'), field]));
    return {
      body: [...unique.values()],
      query: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    };
  };
};

/** The value with `text` at its place; what is missing on the way there is made. */
export const withText = (value: unknown, [name, ...rest]: TextField['at'], text: string): unknown => {
  if (name === undefined) return text;
  if (name === 0) {
    const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : [];
    return [withText(first, rest, text), ...others];
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [name]: withText((object as Record<string, unknown>)[name], rest, text) };
};
