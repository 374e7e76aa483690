import { describeFailures, type DescribedFailure, type Envelope } from '@platform/envelopes';
import type { AnyFailure } from '@platform/errors';
import type { JsonSchema } from '@platform/validation';
import type { Endpoint } from './endpoint';

interface Refused {
  readonly code?: unknown;
}
interface CodeSchema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** The failures that an endpoint names by how they are made. */
export const refusalsOf = ({ refuses = [] }: Endpoint): AnyFailure[] =>
  refuses.flatMap((made) => (typeof made === 'string' ? [] : [(made as () => AnyFailure)()]));

const codeOf = ({ schema }: DescribedFailure): CodeSchema | undefined =>
  (schema.properties as { code?: CodeSchema } | undefined)?.code;

/** Those that the envelope itself gives to failures of these kinds. */
const fixedCodes = (envelope: Envelope, { kinds, status }: DescribedFailure): unknown[] =>
  kinds
    .flatMap((kind) => describeFailures(envelope, [kind]).filter((each) => each.status === status))
    .flatMap((described) => codeOf(described) ?? [])
    .flatMap(({ const: one, enum: some = [] }) => (one === undefined ? some : [one]));

/**
 * The schema of a refusal, with the codes that it can have: those of the failures that the endpoint names, and the envelope's
 * own. Nothing is added where the endpoint names none, and where the envelope fixes the code or refuses without one.
 */
export const withCodes = (
  refused: JsonSchema,
  described: DescribedFailure,
  endpoint: Endpoint,
  envelope: Envelope,
): JsonSchema => {
  const open = codeOf(described);
  const named = refusalsOf(endpoint);
  if (named.length === 0 || !open || open.const !== undefined || open.enum) return refused;
  const own = named
    .map((failure) => envelope.failure(failure))
    .filter(({ status }) => status === described.status)
    .flatMap(({ body }) => (body as Refused).code ?? []);
  const codes = [...new Set([...own, ...fixedCodes(envelope, described)])].sort();
  return {
    allOf: [refused, { type: 'object', properties: { code: codes.length > 0 ? { enum: codes } : { not: {} } } }],
  };
};
