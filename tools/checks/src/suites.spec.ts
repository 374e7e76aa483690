import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

const workspaceRoot = join(__dirname, '../../..');
const ADDS = `it('adds', () => expect(1 + 1).toBe(2));\n`;
const PROJECTS = {
  'libs/good': `${ADDS}it('is its own', () => expect(__filename).toContain('libs/good'));\n`,
  'libs/bad': `${ADDS}it('fails', () => expect(1 + 1).toBe(3));\n`,
  'tools/broken': `throw new Error('cannot be loaded');\n`,
  'tools/empty': '',
};
/** The second row has no second value: Jest would give the test a callback for it, and wait. */
const WAITING = { 'libs/waiting': `it.each([['a', 1], ['b']])('%s', (name, count) => expect(name).toBe('a'));\n` };
const LATE = {
  'libs/good': PROJECTS['libs/good'],
  'libs/late': `it('ends too early', () => void setTimeout(() => { throw new Error('too late for a test'); }));\n`,
};
const ENDING = { 'libs/ending': `it('ends the process', () => process.exit(0));\n` };

let root: string;
const plant = (projects: Readonly<Record<string, string>>): void => {
  for (const [folder, spec] of Object.entries(projects)) {
    mkdirSync(join(root, folder, 'src'), { recursive: true });
    if (spec) writeFileSync(join(root, folder, 'src/some.spec.ts'), spec);
  }
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'suites-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Told = Readonly<Record<string, { success: boolean; terminalOutput: string }>>;

/** The batch as Nx starts it, in a process of its own: how that ended, and what it told Nx of every task. */
const batch = (projects: Readonly<Record<string, string>>, args: readonly string[] = [], folder = root) => {
  const found = Object.keys(projects).map((projectRoot) => [projectRoot, { id: `${projectRoot}:test`, projectRoot }]);
  const given = [
    { tasks: Object.fromEntries(found) as object },
    {},
    { __overrides_unparsed__: args },
    { root: folder },
  ];
  const script = join(root, 'batch.cjs'); // Jest's workers would repeat what stands behind `node -e`
  writeFileSync(
    script,
    `const { together } = require(${JSON.stringify(join(workspaceRoot, 'tools/jest/suites.cjs'))});
    together(...${JSON.stringify(given)}).then((told) => console.log(JSON.stringify(told)));`,
  );
  const env = { ...environment, FORCE_COLOR: '0' };
  const { status, stdout } = spawnSync(process.execPath, [script], { cwd: workspaceRoot, encoding: 'utf8', env });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  const told = (last.startsWith('{') ? JSON.parse(last) : {}) as Told;
  return {
    status,
    told: Object.entries(told).map(([id, { success, terminalOutput }]) => [id, success, terminalOutput]),
  };
};
const reportOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, '.test-results', `${folder}.json`), 'utf8')) as {
    readonly testResults: readonly { readonly assertionResults: readonly { fullName: string; status: string }[] }[];
  };

describe('the suites of several projects in one run', () => {
  it('tell Nx of each project whether its tests passed, and leave the report of each', () => {
    plant(PROJECTS);
    expect(batch(PROJECTS).told).toEqual([
      ['libs/good:test', true, 'libs/good: 2 passed, 0 failed in 1 files\n'],
      ['libs/bad:test', false, 'libs/bad: 1 passed, 1 failed in 1 files\n'],
      ['tools/broken:test', false, 'tools/broken: 0 passed, 1 failed in 1 files\n'],
      ['tools/empty:test', true, 'tools/empty: 0 passed, 0 failed in 0 files\n'],
    ]);
    expect(reportOf('libs/bad')).toEqual({
      numPassedTests: 1,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: 0,
      testResults: [
        {
          name: join(root, 'libs/bad/src/some.spec.ts'),
          message: expect.stringContaining('Expected: 3'),
          startTime: expect.any(Number),
          endTime: expect.any(Number),
          assertionResults: [
            expect.objectContaining({ fullName: 'adds', status: 'passed' }),
            expect.objectContaining({ fullName: 'fails', status: 'failed' }),
          ],
        },
      ],
    });
    expect(reportOf('tools/broken')).toMatchObject({ numFailedTests: 0, numRuntimeErrorTestSuites: 1 });
  });

  it('tell of an error after the last test of a file, although Jest goes on in another worker', () => {
    plant(LATE);
    const { told } = batch(LATE);
    expect(told).toEqual([
      ['libs/good:test', true, 'libs/good: 2 passed, 0 failed in 1 files\n'],
      ['libs/late:test', false, expect.stringContaining('too late for a test')],
    ]);
  });

  it('have failed when a spec file ends the process, with whatever code', () => {
    plant(ENDING);
    expect(batch(ENDING)).toEqual({ status: 1, told: [] });
  });

  it('refuse a test that would wait for a callback', () => {
    plant(WAITING);
    expect(batch(WAITING).told).toEqual([['libs/waiting:test', false, expect.any(String)]]);
    expect(reportOf('libs/waiting').testResults).toMatchObject([
      { message: expect.stringContaining('b: tests and hooks take no callback') },
    ]);
  });

  it('are found through a link to the workspace', () => {
    plant(PROJECTS);
    const link = `${root}-link`;
    symlinkSync(root, link);
    const { told } = batch({ 'libs/bad': PROJECTS['libs/bad'] }, [], link);
    rmSync(link);
    expect(told).toEqual([['libs/bad:test', false, 'libs/bad: 1 passed, 1 failed in 1 files\n']]);
  });

  it('take the arguments of Jest that follow the target', () => {
    plant(PROJECTS);
    expect(batch(PROJECTS, ['--testNamePattern=is its own']).told[0]).toEqual([
      'libs/good:test',
      true,
      'libs/good: 1 passed, 0 failed in 1 files\n',
    ]);
  });
});
