import type { FieldViolation } from './field';

/** A value that holds every rule, or what is wrong with it. */
export type Parsed<T> =
  | { readonly value: T; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly FieldViolation[] };
