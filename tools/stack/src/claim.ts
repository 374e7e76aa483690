import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandOf } from './process-table';
import { shown, writePrivately } from './workspace';

const noteOf = (folder: string): string => `${folder}.pid`;

/** The process of this tool that uses the folder: from its first moment to its last. */
export const ownerOf = (folder: string): number | undefined => {
  if (!existsSync(noteOf(folder))) return undefined;
  const pid = Number(readFileSync(noteOf(folder), 'utf8'));
  return pid !== process.pid && commandOf(pid)?.includes('tools/stack/src/') ? pid : undefined;
};

/** Throws with what to do when the folder is already in use. */
export const refuseSecond = (folder: string, what: string, hint = ''): void => {
  const owner = ownerOf(folder);
  if (owner !== undefined)
    throw new Error(
      `${what} runs already with the data in ${shown(folder)} (process ${owner}). Stop it with Ctrl-C or kill ${owner}${hint}`,
    );
};

export const claim = (folder: string): void => {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  writePrivately(noteOf(folder), String(process.pid));
};
export const release = (folder: string): void => rmSync(noteOf(folder), { force: true });
