/** `/groups/{id}/members/{user}` to `'id' | 'user'`. */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The path parameters of a template, all texts: `{ id: string; user: string }`. */
export type PathParameters<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** The template in Express 5's notation: `/groups/:id`. */
export const expressPath = (template: string): string => template.replace(/\{(\w+)\}/g, ':$1');

export const hasParameters = (template: string): boolean => template.includes('{');
