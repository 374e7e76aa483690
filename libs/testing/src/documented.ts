import { openapi, registrationsOf, type Service } from '@platform/http';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

type Document = { readonly paths: Record<string, Record<string, Operation>> };

const pointer = (...keys: string[]): string =>
  keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

const matcher = (path: string): RegExp => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/**
 * Compares real answers with the service's own API description (by ajv, not by our validation): returns what does not fit,
 * or nothing. Answers whose status the description does not list with a schema are left alone.
 */
export const documentedAnswers = (
  service: Service,
): ((method: string, path: string, status: number, body: unknown) => string[]) => {
  const document = openapi(service) as unknown as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'api');
  const templates = registrationsOf(service).map(({ path }) => ({ path, matches: matcher(path) }));
  const compiled = new Map<string, ValidateFunction | undefined>();
  const validator = (method: string, path: string, status: number): ValidateFunction | undefined => {
    const key = `${method} ${path} ${status}`;
    if (compiled.has(key)) return compiled.get(key);
    const schema = document.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema;
    const made =
      schema &&
      ajv.compile({
        $ref: `api#/${pointer('paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema')}`,
      });
    compiled.set(key, made);
    return made;
  };
  return (method, path, status, body) => {
    const plain = path.split('?')[0] as string;
    const template =
      templates.find(({ path: exact }) => exact === plain) ?? templates.find(({ matches }) => matches.test(plain));
    const validate = template && validator(method.toLowerCase(), template.path, status);
    if (!validate || validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  };
};
