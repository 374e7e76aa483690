import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The part of jest's `--json` report that is read. https://jestjs.io/docs/cli#--json */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Suites that failed without running a test: a file that does not compile, a setup that throws. */
  readonly numRuntimeErrorTestSuites: number;
  /** One entry per file; the file's own `message` is all there is when it did not run. */
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
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

/** Lines shown of each failure: the assertion with its expected and received values, not its whole stack. */
const FAILURE_LINES = 24;

const indented = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, FAILURE_LINES)
    .map((line) => `      ${line}`.trimEnd());

/**
 * The failures of a project: the file, the test's whole name and the start of its message. A log of thousands of lines
 * is often cut to its end, and this is printed there.
 */
export const failuresOf = (root: string, { testResults }: JestReport): string[] =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = `    ${relative(root, name)}`;
    if (assertionResults.length === 0 && message) return [file, ...indented(message)];
    return failed.flatMap(({ fullName, failureMessages }) => [
      `${file}: ${fullName}`,
      ...indented(failureMessages.join('\n')),
    ]);
  });

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
