import { createHash } from 'node:crypto';
import { parse as parseDto, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';
import { parse } from 'yaml';

class Expected {
  @Texts({ optional: true }) tools?: string[];
  @Texts({ optional: true }) must?: string[];
  @Texts({ optional: true }) must_not?: string[];
  @Texts({ optional: true }) sources?: string[];
  @Flag({ optional: true }) handover?: boolean;
  @Int({ optional: true, min: 0 }) max_cost_micros?: number;
}

class Dialogue {
  @Text({ max: 120 }) name!: string;
  @Texts({ min: 1, max: 10, maxLength: 4000 }) lines!: string[];
  @Nested(() => Expected) expect!: Expected;
}

class Dialogues {
  @List(() => Dialogue, { min: 1, max: 200 }) dialogues!: Dialogue[];
}

/** A case of `POST /internal/evals`. */
export interface GoldenCase extends Dialogue {
  readonly id: string;
  readonly agent_id: string;
}

/** UUIDs of version 8 are ours to define (RFC 9562): owners' own cases have others. */
export const isGolden = (id: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-/.test(id);

/** The same for every dialogue of the same name of an agent. */
const idOf = (agent: string, name: string): string =>
  createHash('sha256')
    .update(`golden dialogue ${agent} ${name}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');

/** The cases of a YAML file. Throws with every rule that it breaks, and for two dialogues of one name. */
export const goldenCases = (yaml: string, agent: string): GoldenCase[] => {
  const { value, violations } = parseDto(Dialogues, (parse(yaml) ?? {}) as object, { unknownKeys: 'refuse' });
  if (violations) throw new Error(violations.map(({ message }) => message).join('\n'));
  const names = value.dialogues.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new Error(`two dialogues are called "${twice}"`);
  return value.dialogues.map((one) => ({ ...one, id: idOf(agent, one.name), agent_id: agent }));
};
