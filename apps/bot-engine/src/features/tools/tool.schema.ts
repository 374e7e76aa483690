import { componentSchemas, schemaOf, type DtoClass, type JsonSchema } from '@platform/validation';

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A required text that is blank counts as missing (`Text` of libs/validation); the schema says so too. */
const notBlank = (schema: unknown): unknown =>
  isObject(schema) && schema.type === 'string' && !schema.enum && !schema.pattern
    ? { ...schema, minLength: Math.max(1, Number(schema.minLength ?? 1)), pattern: String.raw`\S` }
    : schema;

const withoutBlanks = (properties: JsonSchema, required: unknown): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [
      name,
      Array.isArray(required) && required.includes(name) ? notBlank(one) : one,
    ]),
  );

/** References are replaced by what they refer to, and every object is closed: models are given one schema, no document. */
const inlined = (value: unknown, components: Readonly<Record<string, JsonSchema>>): unknown => {
  if (Array.isArray(value)) return value.map((item) => inlined(item, components));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') return inlined(components[value.$ref.split('/').at(-1) ?? ''], components);
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inlined(member, components)]),
  );
  if (!isObject(members.properties) || value.type !== 'object') return members;
  return { ...members, properties: withoutBlanks(members.properties, value.required), additionalProperties: false };
};

/** The JSON schema of a tool's arguments, from the class that checks them: the two cannot differ. */
export const argumentsSchema = (args: DtoClass): JsonSchema =>
  inlined(schemaOf(args), componentSchemas([args])) as JsonSchema;
