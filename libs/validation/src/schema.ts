import { fieldsOf, type DtoClass, type Field, type JsonSchema } from './field';

const base = (field: Field): JsonSchema => (typeof field.schema === 'function' ? field.schema() : field.schema);

const fieldSchema = (field: Field): JsonSchema => {
  const { nullable, description, example } = field.options;
  const schema = base(field);
  const typed = nullable
    ? typeof schema.type === 'string'
      ? { ...schema, type: [schema.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] }
    : schema;
  return {
    ...typed,
    ...(description ? { description } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
};

/** Points at the schema of a DTO in the document's components. */
export const schemaReference = (dto: DtoClass): JsonSchema => ({ $ref: `#/components/schemas/${dto.name}` });

/** The object schema of one DTO; nested DTOs are references. */
export const schemaOf = (dto: DtoClass): JsonSchema => {
  const fields = fieldsOf(dto);
  const required = fields
    .filter(({ options }) => !options.optional && !options.requiredWithout)
    .map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
};

/** Schemas of these DTOs and of every DTO they refer to, by name. Two DTOs of one name in one document are refused. */
export const componentSchemas = (dtos: readonly DtoClass[]): Record<string, JsonSchema> => {
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
  return Object.fromEntries([...seen].map(([name, dto]) => [name, schemaOf(dto)]));
};
