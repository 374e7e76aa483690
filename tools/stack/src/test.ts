// `npm test`: lint, types and every project's tests through Nx.
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { leftOut } from './left-out';
import { secondsSince } from './steps';
import { failuresOf, readReports, sumReports, totalsLine } from './test-results';
import { workspaceRoot } from './workspace';

const QUIET = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };
let underWay: ChildProcess | undefined;
let interrupted = false;

/** True when every target of every project succeeded. Nx prints the output of each as it ends. */
const nx = (...targets: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    if (interrupted) return resolve(false);
    const args = ['node_modules/.bin/nx', 'run-many', '--parallel=2', '--outputStyle=static', '-t', ...targets];
    underWay = spawn(process.execPath, args, {
      cwd: workspaceRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...environment, ...QUIET },
    });
    underWay.once('error', () => resolve(false));
    underWay.once('exit', (code) => resolve(code === 0));
  });

const heading = (text: string): void => console.log(`\n=== ${text}`);

/** Removes reports of earlier runs: Nx restores those of projects it need not run again. */
const forgetReports = (): void => rmSync(join(workspaceRoot, '.test-results'), { recursive: true, force: true });

/** Which projects and tests failed and how, which suites did not run; then the totals, alone on the last line. */
const conclude = (checked: boolean, tested: boolean): number => {
  const reports = readReports(workspaceRoot);
  const failures = reports.flatMap(({ folder, report }) => {
    if (!report) return [`  ${folder}: no report, its tests did not start`];
    const { failed } = sumReports([report]);
    return failed > 0 ? [`  ${folder}: ${failed} failed`, ...failuresOf(workspaceRoot, report)] : [];
  });
  heading('Summary');
  if (!checked) console.log('  lint or typecheck failed: see above (counts as one failure)');
  if (!tested && failures.length === 0)
    console.log('  the test run failed outside of its tests: see above (counts as one failure)');
  for (const line of [...failures, ...leftOut(workspaceRoot, environment)]) console.log(line);
  const totals = sumReports(reports.map(({ report }) => report));
  const besides = (checked ? 0 : 1) + (!tested && failures.length === 0 ? 1 : 0);
  const failed = totals.failed + besides;
  console.log(totalsLine({ ...totals, failed }));
  return failed > 0 ? 1 : 0;
};

const main = async (): Promise<number> => {
  const since = performance.now();
  forgetReports();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      interrupted = true;
      underWay?.kill(signal);
    });
  heading('Lint and types');
  const checked = await nx('lint-all', 'typecheck-all');
  heading('Tests');
  const tested = await nx('test');
  if (interrupted) return 130;
  console.log(`\nDone after ${secondsSince(since)}.`);
  return conclude(checked, tested);
};

void main().then((code) => {
  process.exitCode = code;
});
