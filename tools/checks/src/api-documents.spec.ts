import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { openapi, registrationsOf } from '@platform/http';
import { environment } from '@platform/runtime';
import { allServices } from './routes';
import { sourceFiles, workspaceRoot } from './source-files';

interface Media {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>>; readonly description: string }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const services = allServices();
const named = services.map((service) => [service.name, service] as const);

/** Exit status and report of Redocly's own program for these files. */
const lint = (files: readonly string[]) =>
  spawnSync(
    process.execPath,
    [
      require.resolve('@redocly/cli/bin/cli.js'),
      'lint',
      ...files,
      '--config',
      join(workspaceRoot, 'tools/checks/redocly.yaml'),
      '--format',
      'github-actions',
    ],
    { encoding: 'utf8', env: { ...environment, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );

const refuses = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, said]) => /^(result|success)$/.test(key) && said === false);

/** The contract keeps a route that only refuses. */
const INACTIVE = 'get /api/crm';

/** Files, pages and answers without a body need no example. */
const showsSuccess = ([status, { content = {} }]: [string, Operation['responses'][string]]): boolean => {
  if (Number(status) >= 400) return false;
  const shown = Object.entries(content).filter(([type]) => type === 'application/json' || type === 'text/plain');
  const examples = shown.flatMap(([, media]) => Object.values(media.examples ?? {}));
  return shown.length === 0 || '*/*' in content || examples.some(({ value }) => !refuses(value));
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-documents-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const written = (name: string, document: object): string => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
};

describe('the API descriptions of all services', () => {
  it('pass redocly lint, examples included', () => {
    const { status, stdout } = lint(services.map((service) => written(service.name, openapi(service))));
    expect({ status, problems: stdout.split('\n').filter((line) => line.startsWith('::')) }).toEqual({
      status: 0,
      problems: [],
    });
  });

  it('fail redocly lint when an example does not match its schema', () => {
    const wrong = JSON.parse(JSON.stringify(openapi(services[0] as (typeof services)[0]))) as {
      paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    };
    const [operation] = Object.values(Object.values(wrong.paths)[0] ?? {});
    if (operation)
      operation.responses['200'] = {
        description: 'planted',
        content: { 'application/json': { schema: { type: 'integer' }, examples: { planted: { value: 'a text' } } } },
      };
    const { status, stdout } = lint([written('planted', wrong)]);
    expect(status).toBe(1);
    expect(stdout.match(/title=[\w-]+/g)).toContain('title=no-invalid-media-type-examples');
  });

  it.each(named)('%s: is valid OpenAPI 3.1 according to swagger-parser', async (_, service) => {
    const document = JSON.parse(JSON.stringify(openapi(service))) as Parameters<typeof SwaggerParser.validate>[0];
    await expect(SwaggerParser.validate(document)).resolves.toMatchObject({ openapi: '3.1.0' });
  });

  it.each(named)('%s: every registration is described, under a unique id, unless it is a page', (_, service) => {
    const { paths } = openapi(service) as unknown as Description;
    const strays = registrationsOf(service).filter(
      ({ endpoint, path }) => (paths[path]?.[endpoint.method] === undefined) !== (endpoint.isPage === true),
    );
    expect(strays.map(({ path }) => path)).toEqual([]);
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it.each(named)('%s: every operation that answers JSON or text has an example of success', (_, service) => {
    const { paths } = openapi(service) as unknown as Description;
    const without = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => !Object.entries(responses).some(showsSuccess))
        .map(([method]) => `${method} ${path}`),
    );
    expect(without.filter((operation) => operation !== INACTIVE)).toEqual([]);
  });

  it('take their examples from separate files beside the endpoints', () =>
    expect(
      sourceFiles().flatMap(({ path, text }) =>
        path.endsWith('.endpoints.ts') && /\bexamples: \[/.test(text) ? [path] : [],
      ),
    ).toEqual([]));

  it.each(named)('%s: every recorded answer belongs to an existing operation', (_, { answers, endpoints }) =>
    expect(
      Object.keys(answers?.() ?? {}).filter(
        (name) => !endpoints.some(({ method, path }) => `${method.toUpperCase()} ${path}` === name.split(': ')[0]),
      ),
    ).toEqual([]),
  );

  it.each(named)('%s: every answer with a body has a media type and schema', (_, service) => {
    const { paths } = openapi(service) as unknown as Description;
    const bare = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.entries(responses)
          .filter(([status, { content }]) => Number(status) >= 400 && !content)
          .map(([status]) => `${path} ${status}`),
      ),
    );
    expect(bare).toEqual([]);
  });
});
