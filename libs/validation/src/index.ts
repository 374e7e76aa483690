export type { DtoClass, FieldOptions, FieldViolation, JsonSchema } from './field';
export type { TextFormat } from './formats';
export { Anything, Json, List, ListOfOne, Nested, Texts, type ListOptions } from './nested';
export { parse, type Parsed, type UnknownKeys } from './parse';
export { Decimal, Flag, Int, type NumberOptions, type ScalarOptions } from './scalar';
export { componentSchemas, schemaOf, schemaReference } from './schema';
export { Choice, Text, type TextOptions } from './text';
