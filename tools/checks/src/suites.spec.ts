import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

const workspaceRoot = join(__dirname, '../../..');
const PROJECTS = {
  'libs/good': `it('adds', () => expect(1 + 1).toBe(2));\nit('is its own', () => expect(__filename).toContain('libs/good'));\n`,
  'libs/bad': `it('adds', () => expect(1 + 1).toBe(2));\nit('fails', () => expect(1 + 1).toBe(3));\n`,
  'tools/broken': `throw new Error('cannot be loaded');\n`,
  'tools/empty': '',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'suites-'));
  for (const [folder, spec] of Object.entries(PROJECTS)) {
    mkdirSync(join(root, folder, 'src'), { recursive: true });
    if (spec) writeFileSync(join(root, folder, 'src/some.spec.ts'), spec);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const tasks = Object.fromEntries(
  Object.keys(PROJECTS).map((projectRoot) => [projectRoot, { id: `${projectRoot}:test`, projectRoot }]),
);

/** The batch as Nx starts it, in a process of its own; what it tells Nx of every task. */
const together = (...args: string[]) => {
  const given = JSON.stringify([{ tasks }, {}, { __overrides_unparsed__: args }, { root }]);
  const script = join(root, 'batch.cjs'); // Jest's workers would repeat what stands behind `node -e`
  writeFileSync(
    script,
    `const { together } = require(${JSON.stringify(join(workspaceRoot, 'tools/jest/suites.cjs'))});
    together(...${given}).then((told) => console.log(JSON.stringify(told)));`,
  );
  const env = { ...environment, FORCE_COLOR: '0' };
  const { stdout } = spawnSync(process.execPath, [script], { cwd: workspaceRoot, encoding: 'utf8', env });
  const told = JSON.parse(stdout) as Record<string, { success: boolean; terminalOutput: string }>;
  return Object.entries(told).map(([id, { success, terminalOutput }]) => [id, success, terminalOutput]);
};
const reportOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, '.test-results', `${folder}.json`), 'utf8')) as {
    readonly testResults: readonly { readonly assertionResults: readonly { fullName: string; status: string }[] }[];
  };

describe('the suites of several projects in one run', () => {
  it('tell Nx of each project whether its tests passed, and leave the report of each', () => {
    expect(together()).toEqual([
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

  it('take the arguments of Jest that follow the target', () => {
    expect(together('--testNamePattern=is its own')[0]).toEqual([
      'libs/good:test',
      true,
      'libs/good: 1 passed, 0 failed in 1 files\n',
    ]);
  });
});
