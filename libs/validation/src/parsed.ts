import type { FieldViolation } from './field';

/** A valid value, or its violations. */
export type Parsed<T> =
  | { readonly value: T; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly FieldViolation[] };
