import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'platform-uploads-';
const FOLDER = /^platform-uploads-(\d{1,10})$/;

/** Somebody else's process counts as alive: its folder is not ours to remove. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Of this process's number: what lay there before it began is of another one, which a container numbers alike. */
const sweepOwn = async (folder: string): Promise<void> => {
  const began = Date.now() - process.uptime() * 1000;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if ((await stat(file)).mtimeMs < began) await rm(file, { force: true });
  }
};

/** Removes what processes left behind that were killed while files arrived. What cannot be removed is left to whoever can. */
const sweep = async (parent: string): Promise<void> => {
  const pids = (await readdir(parent)).flatMap((name) => FOLDER.exec(name)?.[1] ?? []).map(Number);
  const gone = pids.filter((pid) => pid !== process.pid && !isAlive(pid));
  const removals = gone.map((pid) => rm(join(parent, `${NAME}${pid}`), { recursive: true, force: true }));
  await Promise.allSettled([...removals, sweepOwn(join(parent, `${NAME}${process.pid}`))]);
};

let swept: Promise<void> | undefined;

/** Where the files of forms lie while a request lasts: a folder of this process. The first time, those of dead processes go. */
export const uploadFolder = async (): Promise<string> => {
  const parent = tmpdir();
  swept ??= sweep(parent).catch(() => undefined);
  await swept;
  const folder = join(parent, `${NAME}${process.pid}`);
  // Each time: somebody may tidy up the temporary folder of a process that lives for months
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
};
