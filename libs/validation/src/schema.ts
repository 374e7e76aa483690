import { exposureOf } from './exposure';
import { fieldsOf, type DtoClass, type Field, type JsonSchema } from './field';

const base = (field: Field): JsonSchema => (typeof field.schema === 'function' ? field.schema() : field.schema);

const orNull = (schema: JsonSchema): JsonSchema => {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  // `enum` lists every value that is allowed, null too
  const listed = Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return { ...schema, ...listed, type: [schema.type, 'null'] };
};

const fieldSchema = (field: Field): JsonSchema => {
  const { nullable, clearable, description, example } = field.options;
  const schema = base(field);
  const typed = nullable || clearable ? orNull(schema) : schema;
  return {
    ...typed,
    ...(description ? { description } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
};

/** Reference to the schema of a DTO in the document's components. */
export const schemaReference = (dto: DtoClass): JsonSchema => ({ $ref: `#/components/schemas/${dto.name}` });

export interface SchemaOptions {
  /**
   * Objects inside a DTO hold what their DTO declares and nothing else. The DTO itself stays open, because an envelope may
   * add members to it: a reference to it puts `unevaluatedProperties: false` around the whole.
   */
  readonly closed?: boolean;
}

const closedReferences = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closedReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closedReferences(value)]));
  return '$ref' in inner ? { ...inner, unevaluatedProperties: false } : inner;
};

/**
 * The object schema of one DTO; nested DTOs are references. Members are named as `@Expose({ name })` says, what `@Exclude`
 * hides is no part of it, and what needs a group may be absent.
 */
export const schemaOf = (dto: DtoClass, { closed = false }: SchemaOptions = {}): JsonSchema => {
  const members = fieldsOf(dto).flatMap((field) => {
    const exposure = exposureOf(dto, field.name);
    return exposure ? [{ field, ...exposure }] : [];
  });
  const required = members
    .filter(
      ({ field: { options }, shownTo }) =>
        !options.optional && !options.clearable && !options.requiredWithout && !shownTo,
    )
    .map(({ name }) => name);
  const properties = Object.fromEntries(members.map(({ field, name }) => [name, fieldSchema(field)]));
  return {
    type: 'object',
    properties: closed ? closedReferences(properties) : properties,
    ...(required.length > 0 ? { required } : {}),
  };
};

/** Schemas of these DTOs and of every DTO they refer to, by name. Two DTOs with the same name in one document are refused. */
export const componentSchemas = (
  dtos: readonly DtoClass[],
  options: SchemaOptions = {},
): Record<string, JsonSchema> => {
  const seen = new Map<string, DtoClass>();
  const visit = (dto: DtoClass): void => {
    const other = seen.get(dto.name);
    if (other === dto) return;
    if (other) throw new Error(`Two DTOs are called ${dto.name}: rename one, the API description needs distinct names`);
    seen.set(dto.name, dto);
    for (const { refersTo, refersToAny } of fieldsOf(dto)) {
      if (refersTo) visit(refersTo());
      refersToAny?.().forEach(visit);
    }
  };
  dtos.forEach(visit);
  return Object.fromEntries([...seen].map(([name, dto]) => [name, schemaOf(dto, options)]));
};
