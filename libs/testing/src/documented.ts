import { openapi, registrationsOf, replyDtos, type Service } from '@platform/http';
import { componentSchemas } from '@platform/validation';
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object };
}

const pointer = (...keys: string[]): string =>
  keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

const matcher = (path: string): RegExp => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** A refusal may hold more than its envelope's members: its failure's details. */
const openRefusals = (schemas: object): object =>
  Object.fromEntries(
    Object.entries(schemas as Record<string, object>).map(([name, schema]) => [
      name,
      name.startsWith('Refused') ? { ...schema, additionalProperties: true } : schema,
    ]),
  );

/** The description of the service, with replies that hold declared members only. */
const strictDocument = (service: Service): Document => {
  const document = openapi(service) as unknown as Document;
  const replies = componentSchemas([...new Set(service.endpoints.flatMap(replyDtos))], { closed: true });
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
  const document = strictDocument(service);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'api');
  const registrations = registrationsOf(service);
  const templates = registrations.map(({ path }) => ({ path, matches: matcher(path) }));
  const declares = (method: string, path: string) =>
    registrations.some(
      (known) => known.path === path && known.endpoint.method === method && replyDtos(known.endpoint).length > 0,
    );
  const compiled = new Map<string, ValidateFunction | undefined>();
  const validator = (method: string, path: string, status: number): ValidateFunction | undefined => {
    const key = `${method} ${path} ${status}`;
    if (compiled.has(key)) return compiled.get(key);
    const schema = document.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema;
    const made =
      schema &&
      ajv.compile({
        $ref: `api#/${pointer('paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema')}`,
        ...(declares(method, path) ? { unevaluatedProperties: false } : {}),
      });
    compiled.set(key, made);
    return made;
  };
  return (method, path, status, body) => {
    const plain = path.split('?')[0] as string;
    const template =
      templates.find(({ path: exact }) => exact === plain) ?? templates.find(({ matches }) => matches.test(plain));
    const operation = template && document.paths[template.path]?.[method.toLowerCase()];
    if (!operation) return [];
    if (!operation.responses[status]) return [`status ${status} is not documented`];
    const validate = validator(method.toLowerCase(), template.path, status);
    if (!validate || validate(body)) return [];
    return misfitsOf(validate.errors ?? []);
  };
};
