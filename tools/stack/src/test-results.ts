import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is read of jest's `--json` report. https://jestjs.io/docs/cli#--json */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Suites that failed without running a test: a file that does not compile, a setup that throws. */
  readonly numRuntimeErrorTestSuites: number;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Everything of one run; a project without a report failed to start, which counts as one failure. */
export const sumReports = (reports: readonly (JestReport | undefined)[]): Totals => {
  const sum = (count: (report: JestReport) => number, missing = 0): number =>
    reports.reduce((total, report) => total + (report ? count(report) : missing), 0);
  return {
    passed: sum(({ numPassedTests }) => numPassedTests),
    failed: sum(({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites, 1),
    skipped: sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests),
  };
};

/** The last line of `npm test`. */
export const totalsLine = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** Folders of all projects, as the Nx plugin finds them: {apps,libs,tools,tools/sandboxes}/<name> with a package.json. */
export const projectFolders = (root: string): string[] =>
  ['apps', 'libs', 'tools', 'tools/sandboxes']
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'package.json')));

const reportOf = (root: string, folder: string): JestReport | undefined => {
  const file = join(root, '.test-results', `${folder}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : undefined;
};

/** One entry per project, in order. */
export const readReports = (root: string): { folder: string; report: JestReport | undefined }[] =>
  projectFolders(root).map((folder) => ({ folder, report: reportOf(root, folder) }));
