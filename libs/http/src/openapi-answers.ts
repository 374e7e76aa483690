import { describeFailures, failureKinds, type DescribedFailure, type Envelope } from '@platform/envelopes';
import { schemaReference, type JsonSchema } from '@platform/validation';
import { CsvReply } from './csv';
import { replyDtos, replyKinds, type Endpoint, type Example } from './endpoint';
import { foreseenOf, refusedAs, type Foreseen } from './foreseen';
import { refusalText, withCodes } from './openapi-codes';
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

/** Puts a schema under `components` and returns the reference to it; equal schemas share a reference. */
export type Shared = (name: string, schema: JsonSchema) => JsonSchema;

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

const LOCATION = { Location: { required: true, schema: { type: 'string' } } };

const success = (endpoint: Endpoint, service: Service): Answer => {
  const content = successContent(endpoint, service);
  const headers = {
    ...(endpoint.reply === 'redirect' ? LOCATION : {}),
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

const refusal = ({ plain, headers }: DescribedFailure, description: string, schema: JsonSchema): Answer => ({
  description,
  ...(Object.keys(headers).length > 0
    ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { schema: value }])) }
    : {}),
  content: { [plain ? 'text/plain' : 'application/json']: { schema } },
});

/** A status that a success and a refusal share can be either. */
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

/** Of several kinds of replies a redirect has a status of its own. */
const redirects = (endpoint: Endpoint): [number, Answer][] =>
  endpoint.reply !== 'redirect' && replyKinds(endpoint).includes('redirect')
    ? [[302, { description: 'Elsewhere', headers: LOCATION }]]
    : [];

/** The examples that its declaration gives, and recorded answers: to a valid call, and to those that are refused. */
export const examplesOf = ({ answers }: Service, { method, path, examples = [] }: Endpoint): readonly Example[] => {
  const route = `${method.toUpperCase()} ${path}`;
  const recorded = Object.entries(answers?.() ?? {}).flatMap(([name, answer]): Example[] => {
    if (name === route) return [{ summary: 'a good call', request: answer.request, ...answer }];
    // What is refused is no request to copy
    return name.startsWith(`${route}: `)
      ? [{ ...answer, summary: name.slice(route.length + 2), request: undefined }]
      : [];
  });
  return [...examples, ...recorded];
};

/** How an envelope answers the foreseen failures: their kinds, but only the statuses and headers that one of them has. */
const describedOf = (envelope: Envelope, foreseen: readonly Foreseen[]): DescribedFailure[] => {
  const kinds = new Set(foreseen.map(({ failure }) => failure.kind));
  const answered = foreseen.map(({ failure }) => refusedAs(envelope, failure));
  const described = describeFailures(
    envelope,
    failureKinds.filter((kind) => kinds.has(kind)),
  );
  return described.flatMap((each) => {
    const here = answered.filter(({ status }) => status === each.status);
    const names = new Set(here.flatMap(({ headers }) => headers));
    const headers = Object.fromEntries(Object.entries(each.headers).filter(([name]) => names.has(name)));
    return here.length > 0 ? [{ ...each, headers }] : [];
  });
};

/**
 * Everything an operation can answer, by status: its success, the foreseen failures as its envelope answers them, and its
 * examples.
 */
export const responses = (service: Service, registration: Registration, shared: Shared): JsonSchema => {
  const { endpoint } = registration;
  const envelope = endpoint.envelope ?? service.envelope;
  const foreseen = foreseenOf(service, registration);
  const answers = new Map<number, Answer>([
    [usualStatus(endpoint), success(endpoint, service)],
    ...redirects(endpoint),
  ]);
  for (const described of describedOf(envelope, foreseen)) {
    const { status } = described;
    const schema = withCodes(described, foreseen, envelope, (given) => shared(`Refused${status}`, given));
    const refused = refusal(described, refusalText(status, foreseen, envelope), schema);
    const known = answers.get(status);
    answers.set(status, known ? either(known, refused) : refused);
  }
  for (const example of examplesOf(service, endpoint)) {
    const known = answers.get(example.status) ?? success(endpoint, service);
    answers.set(example.status, example.response === undefined ? known : withExample(known, example));
  }
  return Object.fromEntries([...answers].map(([status, answer]) => [String(status), answer as unknown]));
};
