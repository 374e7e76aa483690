import { openapi, registrationsOf, replyDtos, type Endpoint, type Service } from '@platform/http';
import { componentSchemas } from '@platform/validation';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { keptValidator } from './kept-validator';

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object };
}

const matcher = (path: string): RegExp => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** A refusal may hold more than its envelope's members: its failure's details. */
const openRefusals = (schemas: object): object =>
  Object.fromEntries(
    Object.entries(schemas as Record<string, object>).map(([name, schema]) => [
      name,
      name.startsWith('Refused') ? { ...schema, additionalProperties: true } : schema,
    ]),
  );

/** The description of one endpoint of the service, with replies that hold declared members only: of all it takes a quarter of a second. */
const strictDocument = (service: Service, endpoint: Endpoint): Document => {
  const document = openapi({ ...service, endpoints: [endpoint] }) as unknown as Document;
  const replies = componentSchemas([...new Set(replyDtos(endpoint))], { closed: true });
  return {
    ...document,
    components: { ...document.components, schemas: { ...openRefusals(document.components.schemas), ...replies } },
  };
};

/** A part that does not match leaves its members unknown too, so those count only when there is nothing else. */
const misfitsOf = (errors: readonly ErrorObject[]): string[] => {
  // Where an answer may be a success or a refusal, the reasons why it is no refusal do not matter
  const own = errors.filter(({ keyword, schemaPath }) => keyword !== 'anyOf' && !schemaPath.includes('/Refused'));
  const told = own.length > 0 ? own : errors;
  const others = told.filter(({ keyword }) => keyword !== 'unevaluatedProperties');
  const inner = told.filter(({ instancePath }) => instancePath !== '');
  return (others.length > 0 ? others : inner.length > 0 ? inner : told).map(({ instancePath, message, params }) =>
    'unevaluatedProperty' in params
      ? `${instancePath}/${String(params.unevaluatedProperty)} is not documented`
      : `${instancePath || '/'} ${message}`,
  );
};

/**
 * Compares real answers with the service's own API description (by ajv, not by our validation): returns the mismatches, or
 * none. A member that no DTO declares is a mismatch; so is, for refusals as for successes, a status that the operation does
 * not list.
 */
export const documentedAnswers = (
  service: Service,
): ((method: string, path: string, status: number, body: unknown) => string[]) => {
  const registrations = registrationsOf(service).map((each) => ({ ...each, matches: matcher(each.path) }));
  const registered = (path: string, method: string) =>
    registrations.find((known) => known.path === path && known.endpoint.method === method);
  const documents = new Map<Endpoint, Document>();
  const documentOf = (endpoint: Endpoint): Document => {
    const document = documents.get(endpoint) ?? strictDocument(service, endpoint);
    documents.set(endpoint, document);
    return document;
  };
  const compiled = new Map<object, ValidateFunction>();
  const validator = (schema: object, { components }: Document, isClosed: boolean): ValidateFunction => {
    const closed = isClosed ? { unevaluatedProperties: false } : {};
    const validate = compiled.get(schema) ?? keptValidator({ components, allOf: [schema], ...closed });
    compiled.set(schema, validate);
    return validate;
  };
  return (method, path, status, body) => {
    const plain = path.split('?')[0] as string;
    const template =
      registrations.find(({ path: exact }) => exact === plain) ??
      registrations.find(({ matches }) => matches.test(plain));
    const registration = template && registered(template.path, method.toLowerCase());
    if (!registration) return [];
    const { endpoint } = registration;
    const document = documentOf(endpoint);
    const response = document.paths[registration.path]?.[endpoint.method]?.responses[status];
    if (!response) return [`status ${status} is not documented`];
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return [];
    const validate = validator(schema, document, replyDtos(endpoint).length > 0);
    return validate(body) ? [] : misfitsOf(validate.errors ?? []);
  };
};
