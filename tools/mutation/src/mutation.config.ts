import { join } from 'node:path';

/** The libraries whose guarantees everything stands on; at least 85 % of the changes to them are noticed. */
export const PROJECTS = ['libs/http', 'libs/auth', 'libs/outbox', 'libs/jobs', 'libs/data', 'libs/validation'] as const;
export type Project = (typeof PROJECTS)[number];

const WAITING: readonly Project[] = ['libs/outbox', 'libs/jobs', 'libs/data'];

/** Kills processes by the dozen, which would take minutes for each change: it is not asked, so the score is a lower bound. */
const NOT_ASKED = ['libs/outbox/src/crash.spec.ts'];

/** Everything that a run leaves: ignored by git, lint and prettier. */
export const FOLDER = '.mutation';
const DEMANDED_SCORE = 85;

/** What is changed: sources, of the whole library or these, without what was made for specs and without entries that only re-export. */
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

/** What a command line asks for: nothing is everything; files of one library go together. Throws with what there is when an argument is none of it. */
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

/** Stryker's own settings for one run. https://stryker-mutator.io/docs/stryker-js/configuration */
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
    // Nothing but a constant of the sources, and each needs a run of all specs
    ignoreStatic: true,
    // Specs that ask a database and other processes mostly wait for them
    concurrency: WAITING.includes(project) ? 4 : 2,
    timeoutMS: 60_000,
    timeoutFactor: 4,
    // Mutants see the specs of the copy, compiled by swc, which looks at no types
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
