export type Schema = { readonly [key: string]: unknown };

/** A text in angle brackets stands for any text. */
const isPlaceholder = (text: string): boolean => /<.+>/.test(text);

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const scalars = (type: string, values: readonly unknown[]): Schema => {
  if (type === 'string' && values.some((value) => isPlaceholder(value as string))) return { type };
  const [first, ...others] = [...new Set(values)];
  if (others.length === 0) return { type, const: first };
  return type === 'string' ? { type, enum: [first, ...others].sort() } : { type };
};

const objects = (values: readonly Readonly<Record<string, unknown>>[]): Schema => {
  const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
  const given = (name: string) => values.flatMap((value) => (value[name] === undefined ? [] : [value[name]]));
  // A map from names that the caller chose has one schema for all of them
  if (names.length > 0 && names.every(isPlaceholder))
    return { type: 'object', additionalProperties: schemaOfSamples(names.flatMap(given)) };
  const shown = names.filter((name) => given(name).length > 0);
  const required = shown.filter((name) => given(name).length === values.length);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((name) => [name, schemaOfSamples(given(name))])),
    ...(required.length > 0 ? { required } : {}),
  };
};

const ofKind = (kind: string, values: readonly unknown[]): Schema => {
  if (kind === 'object') return objects(values as Record<string, unknown>[]);
  if (kind === 'array') return { type: 'array', items: schemaOfSamples((values as unknown[][]).flat()) };
  if (kind === 'null') return { type: 'null' };
  if (kind !== 'number') return scalars(kind, values);
  return scalars(values.every(Number.isInteger) ? 'integer' : 'number', values);
};

/**
 * The narrowest JSON Schema of the form `{type, const | enum, properties, required, items}` that all samples match. A value
 * that is the same in every sample is constant, a member that one lacks is optional, a text in angle brackets is any text.
 */
export const schemaOfSamples = (samples: readonly unknown[]): Schema => {
  const kinds = [...new Set(samples.map(kindOf))];
  const schemas = kinds.map((kind) =>
    ofKind(
      kind,
      samples.filter((sample) => kindOf(sample) === kind),
    ),
  );
  return schemas.length === 1 ? (schemas[0] as Schema) : schemas.length === 0 ? {} : { anyOf: schemas };
};
