import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import ts from 'typescript';
import { format, generateFeature } from './feature';

const workspaceRoot = join(__dirname, '../../..');
const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
const [, ...ofReadme] = /^`npm run generate -- (\S+) (\S+)`/m.exec(readme) ?? [];
const [, place = '', snippet = ''] = /<!-- snippet: (\S+) .*?-->\s*```ts\n(.*?)```/s.exec(readme) ?? [];
const [, call = ''] = / restarted:\n\n```sh\n(curl .*?)\n#/s.exec(readme) ?? [];

/** Names whose plurals, classes or imports are easily wrong, spread over all apps. */
const FEATURES: readonly (readonly [app: string, feature: string])[] = [
  [ofReadme[0] ?? '', ofReadme[1] ?? ''],
  ['chat-backend', 'news'],
  ['chat-backend', 'status'],
  ['commerce-api', 'catalogue/businesses'],
  ['commerce-api', 'catalogue/series'],
  ['store-auth', 'people'],
  ['store-auth', 'endpoint'],
  ['bot-engine', 'quick-replies'],
  ['bot-engine', 'data'],
  ['wa-gateway', 'day-offs'],
  ['ads-api', 'addresses'],
];

/** A copy of the workspace with writable apps. */
const scratchCopy = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-'));
  for (const shared of ['node_modules', 'libs', 'tools'])
    symlinkSync(join(workspaceRoot, shared), join(folder, shared));
  const copied = ['apps', 'package.json', 'tsconfig.base.json', 'eslint.config.mjs', '.prettierrc.json'];
  for (const each of copied) cpSync(join(workspaceRoot, each), join(folder, each), { recursive: true });
  return folder;
};

// Before the tests are collected: those of the features are among them
const root = scratchCopy();
const made = FEATURES.map(([app, feature]) => ({ name: `${app} ${feature}`, ...generateFeature(app, feature, root) }));
const files = [...new Set(made.flatMap((one) => one.files))];
const specs = files.filter((file) => /features\/.*\.spec\.ts$/.test(file));
const curls = Object.fromEntries(made.map(({ name, curl }) => [name, curl]));
format(files, root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (program: string, args: readonly string[]) => {
  const env = { ...environment, FORCE_COLOR: '0', NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  return { status, output: stdout + stderr };
};

it('features were generated in every app, including the one in the README', () => {
  expect(new Set(FEATURES.map(([app]) => app))).toEqual(new Set(readdirSync(join(workspaceRoot, 'apps'))));
  expect(ofReadme).toEqual(['chat-backend', 'greeting']);
});

/** The compiler's errors in these files, each prefixed with its file. */
const problemsIn = (paths: readonly string[]): string[] => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root, { incremental: false });
  const program = ts.createProgram(
    paths.map((path) => join(root, path)),
    options,
  );
  return paths.flatMap((path) => {
    const source = program.getSourceFile(join(root, path));
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
};

it('a generated feature compiles with the files that mount it, and fails to with the wrong field of the README', () => {
  const mistaken = place.replace('.endpoints.', '.mistaken.');
  writeFileSync(join(root, mistaken), snippet.replace('body.name', 'body.nama'));
  expect(problemsIn([...files, mistaken])).toEqual([
    expect.stringContaining(`${mistaken}: Property 'nama' does not exist on type 'NewGreeting'`),
  ]);
  rmSync(join(root, mistaken));
});

it('the README shows the endpoints and the call that its generate command writes', () => {
  expect(snippet).toBe(readFileSync(join(root, place), 'utf8'));
  expect(call).toBe(curls[ofReadme.join(' ')]);
});

it('a generated feature passes lint', () => {
  // A copy has no Nx project graph, so boundaries between projects are not checked here
  const { status, output } = run(join(root, 'node_modules/eslint/bin/eslint.js'), ['--quiet', ...files]);
  expect({ status, errors: output.match(/^ *\d+:\d+ +error .*$/gm) ?? [] }).toEqual({ status: 0, errors: [] });
});

it('every generated feature comes with three tests of its own', () =>
  expect(specs.map((spec) => readFileSync(join(root, spec), 'utf8').match(/^ *it\(/gm)?.length)).toEqual(
    FEATURES.map(() => 3),
  ));

// As tests of this file: a Jest of its own would load and compile all packages and libraries again
describe("a generated feature's own tests on the real service", () => {
  describe.each(specs)('%s', (spec) => void jest.requireActual(join(root, spec)));
});

it('every generated feature comes with a shell command that calls it', () =>
  expect(
    Object.values(curls).filter((curl) => !/^curl -s http:\/\/127\.0\.0\.1:300\d\/(api|v1)\/[\w-]+ /m.test(curl)),
  ).toEqual([]));
