import { openapi } from './openapi';
import { fixtureService } from './service.fixture';

interface Operation {
  readonly parameters: readonly object[];
}
const { paths } = openapi(fixtureService()) as { paths: Record<string, Record<string, Operation>> };

it('every path parameter is documented as required, as OpenAPI prescribes', () => {
  const inPath = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters }) => parameters as { in: string; required?: boolean; schema?: object }[])
    .filter((parameter) => parameter.in === 'path');
  expect(inPath.length).toBeGreaterThan(0);
  expect(inPath.filter(({ required, schema }) => required !== true || !schema)).toEqual([]);
});

it('every operation documents exactly the parameters of its path', () => {
  for (const [path, methods] of Object.entries(paths))
    for (const { parameters } of Object.values(methods)) {
      const inPath = (parameters as { in: string; name: string }[]).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
});
