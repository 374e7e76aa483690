// `npm run mutation [-- <library or file> ...]`: changes the code of a library in small ways, one at a time, and reports the
// changes that no test notices. Takes from minutes to an hour per library, so it is not part of `npm test`.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder, startCluster } from '@platform/postgres';
import { environment } from '@platform/runtime';
import { FOLDER, nameOf, runsOf, strykerOptions, type Run } from './mutation.config';

const root = join(__dirname, '../../..');

const titleOf = ({ project, files }: Run): string => files?.join(' ') ?? project;

/** Resolves to whether the score was reached. */
const mutate = (run: Run, databaseUrl: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    console.log(`\n=== ${titleOf(run)} (report: ${FOLDER}/${nameOf(run)}.html)`);
    const settings = join(root, FOLDER, `${nameOf(run)}.settings.json`);
    const options = strykerOptions(run, process.stdout.isTTY ? 'progress' : 'progress-append-only');
    writeFileSync(settings, JSON.stringify(options, null, 2));
    const child = spawn(process.execPath, ['node_modules/.bin/stryker', 'run', settings], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...environment, TEST_DATABASE_URL: databaseUrl },
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        child.kill(signal);
        reject(new Error(`Ended by ${signal}`));
      });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });

const main = async (args: readonly string[]): Promise<void> => {
  const runs = runsOf(args);
  mkdirSync(join(root, FOLDER), { recursive: true });
  const directory = mkdtempSync(join(scratchFolder(), 'platform-mutation-'));
  const cluster = await startCluster({ directory: join(directory, 'postgres'), throwaway: true });
  const below: string[] = [];
  try {
    for (const run of runs) if (!(await mutate(run, cluster.url))) below.push(titleOf(run));
  } finally {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  if (below.length > 0) throw new Error(`Below the required score, or not completed: ${below.join(', ')}`);
};

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
