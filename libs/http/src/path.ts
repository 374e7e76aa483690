import type { Parameter } from './parameters';

/** `/groups/{id}/members/{user}` to `'id' | 'user'`. */
export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type ValueOf<Rule> = Rule extends Parameter<infer T> ? T : string;

/**
 * The path parameters of a template, each as its rule reads it: `{ id: string; position: number }`. Those without a rule, of
 * the endpoint or of its service's defaults, are texts.
 */
export type PathParameters<Path extends string, Rules = unknown, Defaults = unknown> = {
  readonly [Name in ParameterNames<Path>]: Name extends keyof Rules
    ? ValueOf<Rules[Name]>
    : Name extends keyof Defaults
      ? ValueOf<Defaults[Name]>
      : string;
};

/** The names in a template, in order. */
export const parameterNames = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

export const hasParameters = (template: string): boolean => template.includes('{');

/** The `/a` of `/a?b`; a target may include scheme and host, as to a proxy (RFC 9112 section 3.2.2). */
export const pathOf = (url: string): string => {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
};
