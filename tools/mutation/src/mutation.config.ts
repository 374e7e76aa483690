import { join } from 'node:path';

/** The libraries on whose guarantees everything relies; their mutation score must be at least 85 %. */
export const PROJECTS = ['libs/http', 'libs/auth', 'libs/outbox', 'libs/jobs', 'libs/data', 'libs/validation'] as const;
export type Project = (typeof PROJECTS)[number];

const WAITING: readonly Project[] = ['libs/outbox', 'libs/jobs', 'libs/data'];

/** It kills dozens of processes, which would take minutes per mutant. Without it, the score is a lower bound. */
const NOT_ASKED = ['libs/outbox/src/crash.spec.ts'];

/** Output of the runs; ignored by git, lint and prettier. */
export const FOLDER = '.mutation';
const DEMANDED_SCORE = 85;

/** The files to mutate: these sources or all of the library, without test helpers and the entry file, which only re-exports. */
const sourcesOf = (project: Project, files: readonly string[] = [`${project}/src/**/*.ts`]): string[] => [
  ...files,
  ...['spec', 'fixture', 'contract', 'child'].map((role) => `!${project}/src/**/*.${role}.ts`),
  `!${project}/src/index.ts`,
];

export interface Run {
  readonly project: Project;
  /** These files instead of the whole library. */
  readonly files?: readonly string[];
}

/** The runs of a command line; without arguments, all. Groups consecutive files of one library. Throws for other paths. */
export const runsOf = (args: readonly string[]): Run[] => {
  if (args.length === 0) return PROJECTS.map((project) => ({ project }));
  const runs: Run[] = [];
  for (const argument of args) {
    const path = argument.replace(/\/$/, '');
    const project = PROJECTS.find((each) => path === each || path.startsWith(`${each}/`));
    if (!project)
      throw new Error(
        `usage: npm run mutation [-- <library or file> ...]\n"${argument}" is in none of ${PROJECTS.join(', ')}`,
      );
    const last = runs.at(-1);
    if (path === project) runs.push({ project });
    else if (last?.files && last.project === project) runs.splice(-1, 1, { project, files: [...last.files, path] });
    else runs.push({ project, files: [path] });
  }
  return runs;
};

export const nameOf = ({ project }: Run): string => project.replace('/', '-');

/** Stryker's settings for one run. https://stryker-mutator.io/docs/stryker-js/configuration */
export const strykerOptions = (run: Run, progress: 'progress' | 'progress-append-only') => {
  const { project, files } = run;
  return {
    mutate: sourcesOf(project, files),
    testRunner: 'fresh-modules',
    plugins: [join(__dirname, 'runner.plugin.cjs')],
    specs: `${project}/src`,
    notAsked: NOT_ASKED,
    maxTestRunnerReuse: 400,
    coverageAnalysis: 'perTest',
    // Static mutants are only in constants, and each needs a run of all specs
    ignoreStatic: true,
    // Specs with a database and other processes mostly wait
    concurrency: WAITING.includes(project) ? 4 : 2,
    timeoutMS: 60_000,
    timeoutFactor: 4,
    // The copy is compiled by swc, which does not check types
    disableTypeChecks: false,
    ignorePatterns: ['/dist', '/docs', '/k8s', '/.*/**', '!/.swcrc', '/apps/*/dist'],
    tempDirName: join(FOLDER, `${nameOf(run)}.copy`),
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: join(FOLDER, `${nameOf(run)}.incremental.json`),
    reporters: [progress, 'clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: progress === 'progress', logTests: false, reportTests: false },
    htmlReporter: { fileName: join(FOLDER, `${nameOf(run)}.html`) },
    jsonReporter: { fileName: join(FOLDER, `${nameOf(run)}.json`) },
    thresholds: { high: 95, low: DEMANDED_SCORE, break: files ? null : DEMANDED_SCORE },
    allowConsoleColors: progress === 'progress',
  };
};
