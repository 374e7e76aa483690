import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

/** As whom a server runs. */
export interface Identity {
  readonly wrap: (file: string, args: string[]) => [string, string[]];
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * PostgreSQL and PgBouncer refuse to run as root. Root enters a user namespace, where it is nobody and its files are nobody's
 * too; where namespaces are forbidden the server runs as the account 65534 and owns its files.
 */
export const identity = (): Identity => {
  if (process.getuid?.() !== 0) return { wrap: (file, args) => [file, args] };
  if (spawnSync('unshare', ['--user', 'true']).status === 0)
    return { wrap: (file, args) => ['unshare', ['--user', file, ...args]] };
  return { wrap: (file, args) => [file, args], uid: 65534, gid: 65534 };
};

/** Gives the server what it must read and write. */
export const own = ({ uid, gid }: Identity, ...paths: string[]): void => {
  if (uid !== undefined && gid !== undefined) for (const path of paths) chownSync(path, uid, gid);
};
