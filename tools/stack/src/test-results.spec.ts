import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { leftOut } from './left-out';
import { failuresOf, projectFolders, readReports, sumReports, totalsLine, type JestReport } from './test-results';

const report = (counts: Partial<JestReport>): JestReport => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
  ...counts,
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stack-results-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text = '{}'): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe('the totals of a run', () => {
  it('are the sums over all projects', () => {
    const totals = sumReports([
      report({ numPassedTests: 40, numPendingTests: 1 }),
      report({ numPassedTests: 2, numFailedTests: 3, numTodoTests: 1 }),
    ]);
    expect(totalsLine(totals)).toBe('42 passed, 3 failed, 2 skipped');
  });

  it('count a suite that could not run, and a project without a report, as failures', () => {
    expect(sumReports([report({ numPassedTests: 5, numRuntimeErrorTestSuites: 1 }), undefined])).toEqual({
      passed: 5,
      failed: 2,
      skipped: 0,
    });
  });
});

describe('failures of a test run', () => {
  const passed = { fullName: 'a lock opens', status: 'passed', failureMessages: [] };

  it('are printed with file, name and the start of their message', () => {
    const failed = {
      fullName: 'a lock stays shut',
      status: 'failed',
      failureMessages: [`\u001b[31mexpected shut\u001b[39m\n${'    at a.ts\n'.repeat(40)}`],
    };
    const file = { name: join(root, 'apps/one/src/lock.spec.ts'), message: '', assertionResults: [passed, failed] };
    const lines = failuresOf(root, report({ testResults: [file] }));
    expect(lines.slice(0, 3)).toEqual([
      '    apps/one/src/lock.spec.ts: a lock stays shut',
      '      expected shut',
      '          at a.ts',
    ]);
    expect(lines).toHaveLength(25);
  });

  it('include the message of a file that did not run', () => {
    const file = { name: join(root, 'libs/two/src/lock.spec.ts'), message: 'no such module', assertionResults: [] };
    expect(failuresOf(root, report({ testResults: [file] }))).toEqual([
      '    libs/two/src/lock.spec.ts',
      '      no such module',
    ]);
  });

  it('are none where everything passed', () => {
    const file = { name: join(root, 'libs/two/src/lock.spec.ts'), message: '', assertionResults: [passed] };
    expect(failuresOf(root, report({ testResults: [file] }))).toEqual([]);
  });
});

describe('reports of a test run', () => {
  it('are read for every project, missing ones named', () => {
    for (const folder of ['apps/one', 'libs/two', 'tools/three', 'tools/sandboxes/four'])
      write(`${folder}/package.json`);
    write('libs/notes/README.md');
    write('.test-results/libs/two.json', JSON.stringify(report({ numPassedTests: 7 })));
    expect(projectFolders(root)).toEqual(['apps/one', 'libs/two', 'tools/three', 'tools/sandboxes/four']);
    expect(readReports(root)).toEqual([
      { folder: 'apps/one', report: undefined },
      { folder: 'libs/two', report: report({ numPassedTests: 7 }) },
      { folder: 'tools/three', report: undefined },
      { folder: 'tools/sandboxes/four', report: undefined },
    ]);
  });
});

describe('suites that were left out', () => {
  beforeEach(() => {
    write('libs/two/package.json');
    write('libs/two/src/deep/cache.spec.ts', `if (environment.${'REDIS_URL'}) describe();`);
    write('libs/two/src/plain.spec.ts', 'it();');
  });

  it('are named with what they need', () => {
    expect(leftOut(root, { CHROMIUM_PATH: '/usr/bin/chromium' })).toEqual([
      '  without a Redis (REDIS_URL=redis://127.0.0.1:6379), parts of:',
      '    libs/two/src/deep/cache.spec.ts',
    ]);
  });

  it('are none when everything is there, or not needed', () => {
    expect(leftOut(root, { REDIS_URL: 'redis://127.0.0.1:6379' })).toEqual([]);
  });
});
