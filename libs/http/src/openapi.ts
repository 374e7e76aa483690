import { componentSchemas, schemaReference, type DtoClass, type JsonSchema } from '@platform/validation';
import { bodyDto, type Endpoint, type Example } from './endpoint';
import { registrationsOf, type Registration, type Service } from './service';

const MEDIA = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

const SCHEMES: Record<string, JsonSchema> = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  basic: { type: 'http', scheme: 'basic' },
  signature: { type: 'apiKey', in: 'header', name: 'x-signature' },
  'public-key': { type: 'apiKey', in: 'header', name: 'public-key' },
};

const requestBody = (endpoint: Endpoint, examples: readonly Example[]): JsonSchema | undefined => {
  const { files = {}, accepts = ['json'] } = endpoint;
  const body = bodyDto(endpoint);
  if (!body && Object.keys(files).length === 0) return undefined;
  const schema = body ? schemaReference(body) : { type: 'object' };
  const parts = Object.fromEntries(Object.keys(files).map((name) => [name, { type: 'string', format: 'binary' }]));
  const samples = Object.fromEntries(
    examples
      .filter(({ request }) => request !== undefined)
      .map(({ summary, request }) => [summary, { value: request }]),
  );
  const contentOf = (kind: keyof typeof MEDIA) => ({
    schema:
      kind === 'multipart' && Object.keys(parts).length > 0
        ? { allOf: [schema, { type: 'object', properties: parts }] }
        : schema,
    ...(kind === 'json' && Object.keys(samples).length > 0 ? { examples: samples } : {}),
  });
  return { content: Object.fromEntries(accepts.map((kind) => [MEDIA[kind], contentOf(kind)])) };
};

const replyContent = ({ reply, envelope }: Endpoint, service: Service): JsonSchema => {
  if (reply === 'text') return { 'text/plain': { schema: { type: 'string' } } };
  if (reply === 'page') return { 'text/html': { schema: { type: 'string' } } };
  if (reply === 'bytes') return { 'application/octet-stream': {} };
  const value = typeof reply === 'function' ? schemaReference(reply) : {};
  return { 'application/json': { schema: (envelope ?? service.envelope).schema(value) } };
};

const responses = (endpoint: Endpoint, service: Service): JsonSchema => {
  const status = String(endpoint.status ?? (endpoint.reply === 'redirect' ? 302 : 200));
  const examples = endpoint.examples ?? [];
  const byStatus = new Map<string, JsonSchema>();
  byStatus.set(status, {
    description: 'Success',
    ...(endpoint.reply === 'redirect' || endpoint.reply === 'nothing'
      ? {}
      : { content: replyContent(endpoint, service) }),
  });
  for (const { status: code, summary, response } of examples) {
    const known = byStatus.get(String(code)) as
      { description?: string; content?: Record<string, { examples?: object }> } | undefined;
    const type = typeof response === 'string' ? 'text/plain' : 'application/json';
    const media = known?.content?.[type] ?? {};
    byStatus.set(String(code), {
      description: known?.description ?? summary,
      content: {
        ...known?.content,
        [type]: { ...media, examples: { ...media.examples, [summary]: { value: response } } },
      },
    });
  }
  return Object.fromEntries(byStatus);
};

const parameters = ({ path, query, idempotency }: Endpoint): JsonSchema[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...(query ? Object.entries(componentSchemas([query])[query.name]?.properties as Record<string, JsonSchema>) : []).map(
    ([name, schema]) => ({ name, in: 'query', schema }),
  ),
  ...(idempotency
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: idempotency === 'required',
          schema: { type: 'string', maxLength: 255 },
        },
      ]
    : []),
];

const operation = ({ endpoint, guard, variant, path }: Registration, service: Service): JsonSchema => ({
  operationId: `${endpoint.method}${path.replace(/[^A-Za-z0-9]+/g, '_')}`,
  summary: variant ? `${endpoint.summary} (${variant})` : endpoint.summary,
  ...(endpoint.description ? { description: endpoint.description } : {}),
  ...(endpoint.tag ? { tags: [endpoint.tag] } : {}),
  parameters: parameters(endpoint),
  ...(requestBody(endpoint, endpoint.examples ?? [])
    ? { requestBody: requestBody(endpoint, endpoint.examples ?? []) }
    : {}),
  responses: responses(endpoint, service),
  security: guard.scheme ? [Object.fromEntries(guard.scheme.split('+').map((scheme) => [scheme, []]))] : [],
});

const dtosOf = (endpoints: readonly Endpoint[]): DtoClass[] =>
  endpoints
    .flatMap((endpoint) => [bodyDto(endpoint), endpoint.reply])
    .filter((dto): dto is DtoClass => typeof dto === 'function');

/** The OpenAPI 3.1 document of a service (https://spec.openapis.org/oas/v3.1.1), derived from its endpoints alone. */
export const openapi = (service: Service): JsonSchema => {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const registration of registrationsOf(service)) {
    const at = (paths[registration.path] ??= {});
    at[registration.endpoint.method] = operation(registration, service);
  }
  return {
    openapi: '3.1.0',
    info: { title: service.name, description: service.description, version: '1' },
    paths,
    components: { schemas: componentSchemas([...new Set(dtosOf(service.endpoints))]), securitySchemes: SCHEMES },
  };
};
