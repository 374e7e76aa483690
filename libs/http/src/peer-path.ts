import { segment } from './parameters';
import type { ParameterNames } from './path';

/** A path of a sibling: as sent, and the template that names it in logs without ids. */
export interface PeerPath {
  readonly template: string;
  readonly address: string;
}

/** Accepts only a literal text (any other gives an index signature): an id spliced into it would not be encoded. */
type Literal<Template extends string> = Record<never, never> extends Record<Template, unknown> ? never : Template;
type Values<Template extends string> = [ParameterNames<Template>] extends [never]
  ? []
  : [Readonly<Record<ParameterNames<Template>, string | number>>];

/** Refuses `.` and `..` too: proxies and URL parsers resolve them as path steps, encoded or not. */
const encoded = (value: unknown): string => encodeURIComponent(segment.read(String(value)));

/**
 * `path('/internal/agents/{id}', { id })`: every value is one encoded segment and cannot leave it. A value that cannot name anything
 * (empty, dots, slashes, U+0000, halves of surrogate pairs, over 255 characters) is `NotFound`, as the sibling would say.
 */
export const path = <const Template extends string>(
  template: Literal<Template>,
  ...[values]: Values<Template>
): PeerPath => {
  const given = new Map<string, unknown>(Object.entries(values ?? {}));
  const address = template.replace(/\{(\w+)\}/g, (_all, name: string) => encoded(given.get(name)));
  return { template, address };
};
