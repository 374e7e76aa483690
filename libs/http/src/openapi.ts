import { componentSchemas, parse, schemaReference, type DtoClass, type JsonSchema } from '@platform/validation';
import { bodyDto, replyDtos, type Endpoint, type Example } from './endpoint';
import { examplesOf, responses, type Shared } from './openapi-answers';
import { segment } from './parameters';
import { parameterNames } from './path';
import { registrationsOf, type Registration, type Service } from './service';

const MEDIA = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

const SCHEMES: Record<string, JsonSchema> = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  /** A bearer that is no JWT. */
  opaque: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  signature: { type: 'apiKey', in: 'header', name: 'x-signature' },
  'public-key': { type: 'apiKey', in: 'header', name: 'public-key' },
};

const fileParts = (files: Endpoint['files'] = {}): JsonSchema | undefined => {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const parts = Object.entries(files).map(([name, { maxCount = 1 }]) => [
    name,
    maxCount > 1 ? { type: 'array', items: file, maxItems: maxCount } : file,
  ]);
  return parts.length > 0 ? { type: 'object', properties: Object.fromEntries(parts) as JsonSchema } : undefined;
};

const requestBody = (endpoint: Endpoint, examples: readonly Example[] = []): JsonSchema => {
  const { accepts = ['json'] } = endpoint;
  const body = bodyDto(endpoint);
  if (endpoint.wholeFile) return { requestBody: { required: true, content: { '*/*': {} } } };
  if (accepts.includes('any')) return { requestBody: { content: { '*/*': { schema: {} } } } };
  const files = fileParts(endpoint.files);
  if (!body && !files) return {};
  const schema = body ? schemaReference(body) : { type: 'object' };
  // An invalid request is shown with its refusal, not as a request to copy
  const good = (request: unknown): boolean =>
    request !== undefined && !(body && parse(body, request, { unknownKeys: endpoint.unknownKeys }).violations);
  const samples = Object.fromEntries(
    examples.filter(({ request }) => good(request)).map(({ summary, request }) => [summary, { value: request }]),
  );
  const contentOf = (kind: keyof typeof MEDIA) => ({
    schema: kind === 'multipart' && files ? { allOf: [schema, files] } : schema,
    ...(kind === 'json' && Object.keys(samples).length > 0 ? { examples: samples } : {}),
  });
  const content = Object.fromEntries(
    accepts.flatMap((kind) => (kind === 'any' ? [] : [[MEDIA[kind], contentOf(kind)]])),
  );
  const required = body !== undefined && schemaIn(body).required !== undefined;
  return { requestBody: { ...(required ? { required } : {}), content } };
};

/** The object schema of one DTO, whose fields are needed one by one. */
const schemaIn = (dto: DtoClass): { properties: Record<string, JsonSchema>; required?: readonly string[] } =>
  componentSchemas([dto])[dto.name] as never;

const fieldsAs = (place: 'query' | 'header', dto: DtoClass | undefined): JsonSchema[] => {
  if (!dto) return [];
  const { properties, required = [] } = schemaIn(dto);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    ...(required.includes(name) ? { required: true } : {}),
    schema,
  }));
};

const parameters = ({ path, query, idempotency, headers, params }: Endpoint): JsonSchema[] => [
  ...parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: (params?.[name] ?? segment).schema,
  })),
  ...fieldsAs('query', query),
  ...fieldsAs('header', headers),
  ...(idempotency
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: idempotency === 'required',
          description: 'The same key and request again get the first answer again',
          schema: { type: 'string', maxLength: 255 },
        },
      ]
    : []),
];

const tagOf = (service: Service, { tag }: Endpoint): string => tag ?? service.name;

const schemesOf = ({ guard }: Registration): string[] => guard.scheme?.split('+') ?? [];

const operation = (service: Service, registration: Registration, shared: Shared): JsonSchema => {
  const { endpoint, guard, variant, path } = registration;
  return {
    operationId: `${endpoint.method}${path.replace(/[^A-Za-z0-9]+/g, '_')}`,
    summary: variant ? `${endpoint.summary} (${variant})` : endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [tagOf(service, endpoint)],
    parameters: parameters(endpoint),
    ...requestBody(endpoint, examplesOf(service, endpoint)),
    responses: responses(service, registration, shared),
    security: guard.scheme ? [Object.fromEntries(schemesOf(registration).map((scheme) => [scheme, []]))] : [],
  };
};

/** DTOs that bodies and answers refer to, and whatever the fields of queries refer to. */
const dtoSchemas = (endpoints: readonly Endpoint[]): Record<string, JsonSchema> => {
  const whole = endpoints
    .flatMap((endpoint) => [bodyDto(endpoint), ...replyDtos(endpoint)])
    .filter((dto) => dto !== undefined);
  const listed = endpoints.flatMap(({ query, headers }: Endpoint) => [query ?? [], headers ?? []].flat());
  const below = listed.map((dto) => {
    const { [dto.name]: own, ...nested } = componentSchemas([dto]);
    return own ? nested : {};
  });
  return Object.assign({}, ...below, componentSchemas([...new Set(whole)])) as Record<string, JsonSchema>;
};

/** Gives equal schemas one name: `Refused401`, and `Refused401_2` for the next that differs. */
const sharing = (schemas: Record<string, JsonSchema>): Shared => {
  const names = new Map<string, string>();
  return (wished, schema) => {
    const text = `${wished} ${JSON.stringify(schema)}`;
    const others = [...names.keys()].filter((key) => key.startsWith(`${wished} `)).length;
    const name = names.get(text) ?? (others === 0 ? wished : `${wished}_${others + 1}`);
    names.set(text, name);
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
};

const documentedOf = (service: Service): Registration[] =>
  registrationsOf(service).filter(({ endpoint }) => !endpoint.isPage);

/** Registrations that answer: of those with one method and path, the last. */
const answeringOf = (service: Service): Registration[] => [
  ...new Map(documentedOf(service).map((each) => [`${each.endpoint.method} ${each.path}`, each])).values(),
];

/** The OpenAPI 3.1 document of a service (https://spec.openapis.org/oas/v3.1.1), derived from its endpoints alone. */
export const openapi = (service: Service): JsonSchema => {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const answering = answeringOf(service);
  const schemas = dtoSchemas(answering.map(({ endpoint }) => endpoint));
  const shared = sharing(schemas);
  for (const registration of answering) {
    const at = (paths[registration.path] ??= {});
    at[registration.endpoint.method] = operation(service, registration, shared);
  }
  const used = new Set(documentedOf(service).flatMap(schemesOf));
  const tags = [...new Set(documentedOf(service).map(({ endpoint }) => tagOf(service, endpoint)))].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: service.name,
      description: [service.description, service.envelope.refusals ?? []].flat().join('\n\n'),
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    ...(service.sockets
      ? { externalDocs: { url: `${service.docsPath ?? '/docs'}/sockets`, description: 'Its sockets' } }
      : {}),
    servers: [{ url: '/', description: 'The service that this document was read from' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: Object.fromEntries(Object.entries(SCHEMES).filter(([name]) => used.has(name))),
    },
  };
};
