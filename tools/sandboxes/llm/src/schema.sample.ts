import { arrayOf, isRecord, type Json } from './json.reader';

/** Arguments that satisfy the required part of a JSON schema, for calls that the request forces. Text fields contain `text`. */
export const sampleArguments = (schema: unknown, text: string): Json => {
  const value = sample(schema, text);
  return isRecord(value) ? value : {};
};

const sample = (schema: unknown, text: string): unknown => {
  if (!isRecord(schema)) return {};
  const options = arrayOf(schema.enum);
  if (options.length) return options[0];
  if (schema.type === 'string') return text.slice(0, typeof schema.maxLength === 'number' ? schema.maxLength : 200);
  if (schema.type === 'integer' || schema.type === 'number')
    return typeof schema.minimum === 'number' ? schema.minimum : 1;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [sample(schema.items, text)];
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = arrayOf(schema.required).filter((key) => typeof key === 'string');
  return Object.fromEntries(required.map((key) => [key, sample(properties[key], text)]));
};
