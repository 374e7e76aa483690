import { describeFailures, failureKinds, type DescribedFailure, type Envelope } from '@platform/envelopes';
import type { FailureKind } from '@platform/errors';
import { schemaReference, type JsonSchema } from '@platform/validation';
import { CsvReply } from './csv';
import { replyDtos, replyKinds, type Endpoint, type Example } from './endpoint';
import { limiterOf } from './limiter';
import { refusalsOf, withCodes } from './openapi-codes';
import { hasParameters } from './path';
import { publicGuard } from './request-view';
import type { Registration, Service } from './service';

interface Media {
  readonly schema?: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Answer {
  readonly description: string;
  readonly headers?: JsonSchema;
  readonly content?: Readonly<Record<string, Media>>;
}

/** Puts a schema under `components` and returns the reference to it; the same schema again is the same reference. */
export type Shared = (name: string, schema: JsonSchema) => JsonSchema;

const MEANING: Readonly<Record<FailureKind, string>> = {
  malformed: 'the request cannot be read',
  invalid: 'the request breaks a rule',
  unauthenticated: 'nobody we know',
  forbidden: 'no right to do this',
  notFound: 'there is no such thing',
  conflict: 'its state does not allow it now',
  rejected: 'a rule of the business says no',
  paymentRequired: 'the plan or the balance does not cover it',
  gone: 'it was here, and is no more',
  tooLarge: 'the body is too large',
  unsupportedMedia: 'a kind of content that is not taken here',
  tooMany: 'called too often',
  unavailable: 'something underneath is away: the same request may succeed later',
  upstreamFailed: 'what we asked in turn answered something else',
  upstreamTimedOut: 'what we asked in turn did not answer in time',
  unexpected: 'an error of ours',
};

const hasBody = ({ body, files, rawBody }: Endpoint): boolean => Boolean(body ?? files) || rawBody === true;

/**
 * The kinds of failure that an operation can answer, by what it declares: a guard refuses callers, a body can be broken, too
 * large or against the rules, and whatever names a thing can be refused for that thing.
 */
const kindsOf = (service: Service, registration: Registration): FailureKind[] => {
  const { endpoint, guard, path } = registration;
  const takesBody = hasBody(endpoint);
  const named = hasParameters(path);
  const asked = takesBody || Boolean(endpoint.query ?? endpoint.idempotency ?? endpoint.headers);
  return [
    ...(guard.authenticate === publicGuard.authenticate ? [] : (['unauthenticated', 'forbidden'] as const)),
    ...(named || (takesBody && endpoint.malformed !== 'rejected') ? (['malformed'] as const) : []),
    ...(takesBody ? (['tooLarge', 'unsupportedMedia'] as const) : []),
    ...(asked ? (['invalid'] as const) : []),
    ...(asked || named ? (['notFound', 'conflict', 'rejected'] as const) : []),
    ...(limiterOf(service, registration) ? (['tooMany'] as const) : []),
    'unavailable',
    'unexpected',
    ...(endpoint.refuses ?? []).filter((refused) => typeof refused === 'string'),
    ...refusalsOf(endpoint).map(({ kind }) => kind),
  ];
};

const CONTENT_OF_KIND: Readonly<Record<string, Answer['content']>> = {
  text: { 'text/plain': { schema: { type: 'string' } } },
  page: { 'text/html': { schema: { type: 'string' } } },
  bytes: { '*/*': {} },
};

const successContent = (endpoint: Endpoint, service: Service): Answer['content'] => {
  if (endpoint.reply instanceof CsvReply) return { 'text/csv': { schema: { type: 'string' } } };
  const kinds = replyKinds(endpoint);
  const dtos = replyDtos(endpoint).map(schemaReference);
  const value = dtos.length > 1 ? { oneOf: dtos } : (dtos[0] ?? {});
  const json = dtos.length > 0 || kinds.includes('json');
  const content: Answer['content'] = Object.assign(
    json ? { 'application/json': { schema: (endpoint.envelope ?? service.envelope).schema(value) } } : {},
    ...kinds.map((kind) => CONTENT_OF_KIND[kind] ?? {}),
  );
  return Object.keys(content ?? {}).length > 0 ? content : undefined;
};

const success = (endpoint: Endpoint, service: Service): Answer => {
  const content = successContent(endpoint, service);
  const headers = {
    ...(endpoint.reply === 'redirect' ? { Location: { required: true, schema: { type: 'string' } } } : {}),
    ...(endpoint.idempotency
      ? { 'Idempotent-Replay': { description: 'The answer to an earlier request', schema: { const: 'true' } } }
      : {}),
  };
  return {
    description: 'Success',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(content ? { content } : {}),
  };
};

const refusal = ({ status, kinds, plain, schema, headers }: DescribedFailure, shared: Shared): Answer => ({
  description: `Refused: ${kinds.map((kind) => MEANING[kind]).join('; ')}`,
  ...(Object.keys(headers).length > 0
    ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { schema: value }])) }
    : {}),
  content: { [plain ? 'text/plain' : 'application/json']: { schema: shared(`Refused${status}`, schema) } },
});

/** What has the status of a success can be either. */
const either = (known: Answer, other: Answer): Answer => ({
  description: `${known.description}. ${other.description}`,
  headers: { ...known.headers, ...other.headers },
  content: Object.fromEntries(
    [...new Set([...Object.keys(known.content ?? {}), ...Object.keys(other.content ?? {})])].map((type) => {
      const schemas = [known, other].flatMap(({ content }) => content?.[type]?.schema ?? []);
      return [type, { schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0] } as Media];
    }),
  ),
});

const mediaOf = ({ content = {} }: Answer, response: unknown): string => {
  const types = Object.keys(content);
  const text = types.find((type) => type.startsWith('text/'));
  return typeof response === 'string' && text ? text : 'application/json';
};

const withExample = (answer: Answer, { summary, response }: Example): Answer => {
  const type = mediaOf(answer, response);
  const media = answer.content?.[type] ?? {};
  const examples = { ...media.examples, [summary]: { value: response } };
  return { ...answer, content: { ...answer.content, [type]: { ...media, examples } } };
};

const usualStatus = ({ status, reply }: Endpoint): number =>
  status ?? (reply === 'redirect' ? 302 : reply === 'nothing' ? 204 : 200);

/** What its handler refuses in addition, as its examples show. */
const shownKinds = (endpoint: Endpoint, envelope: Envelope): FailureKind[] => {
  const statuses = new Set((endpoint.examples ?? []).map(({ status }) => status));
  statuses.delete(usualStatus(endpoint));
  return failureKinds.filter((kind) => describeFailures(envelope, [kind]).some(({ status }) => statuses.has(status)));
};

/** Those that its declaration gives, and what a good call was really answered. */
export const examplesOf = ({ answers }: Service, { method, path, examples = [] }: Endpoint): readonly Example[] => {
  const recorded = answers?.()[`${method.toUpperCase()} ${path}`];
  return recorded ? [...examples, { summary: 'a good call', request: recorded.request, ...recorded }] : examples;
};

/**
 * Everything an operation can answer, by status: its success, the failures that follow from its declaration as its envelope
 * really answers them, and its examples.
 */
export const responses = (service: Service, registration: Registration, shared: Shared): JsonSchema => {
  const { endpoint } = registration;
  const envelope = endpoint.envelope ?? service.envelope;
  const answers = new Map<number, Answer>([[usualStatus(endpoint), success(endpoint, service)]]);
  const add = (described: DescribedFailure): void => {
    const known = answers.get(described.status);
    const refused = refusal(described, (...given) => withCodes(shared(...given), described, endpoint, envelope));
    answers.set(described.status, known ? either(known, refused) : refused);
  };
  const foreseen = kindsOf(service, registration);
  const shown = shownKinds(endpoint, envelope);
  const kinds = failureKinds.filter((kind) => foreseen.includes(kind) || shown.includes(kind));
  describeFailures(envelope, kinds).forEach(add);
  for (const example of examplesOf(service, endpoint)) {
    const known = answers.get(example.status) ?? success(endpoint, service);
    answers.set(example.status, example.response === undefined ? known : withExample(known, example));
  }
  return Object.fromEntries([...answers].map(([status, answer]) => [String(status), answer as unknown]));
};
