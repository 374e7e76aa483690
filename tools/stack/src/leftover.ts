import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, endProcess } from './process-table';

const STOP_LIMIT_MS = 1_000;

/** As `endLeftoverServer`, for what a killed stack left of those who keep nothing: the process whose number the note holds. */
const endLeftover = async (note: string, command: string): Promise<number | undefined> => {
  if (!existsSync(note)) return undefined;
  const pid = Number(readFileSync(note, 'utf8').trim());
  const ours = commandOf(pid)?.includes(command);
  if (ours) await endProcess(pid, 'SIGTERM', STOP_LIMIT_MS);
  rmSync(note, { force: true });
  return ours ? pid : undefined;
};

export const endLeftoverRedis = (folder: string): Promise<number | undefined> =>
  endLeftover(join(folder, 'redis.pid'), 'redis-server');

export const endLeftoverPgBouncer = (folder: string): Promise<number | undefined> =>
  endLeftover(join(folder, 'pgbouncer.pid'), folder);
