import { onPath } from '@platform/stack/workspace';

export interface Programs {
  readonly nginx: string;
  readonly redis: string;
}

/** Where Debian installs servers; only on root's PATH. */
export const DEBIAN_PATH = '/usr/sbin:/usr/local/sbin';

const NEEDED = [
  { file: 'nginx', use: 'nginx, the balancer', debian: 'nginx-light' },
  { file: 'redis-server', use: 'Redis', debian: 'redis-server' },
] as const;

/** Finds the programs that a run of replicas needs. Throws with the names of their Debian packages. */
export const programsOn = (path: string): Programs => {
  const [nginx, redis] = NEEDED.map(({ file }) => onPath(file, { PATH: path }));
  if (nginx && redis) return { nginx, redis };
  const missing = NEEDED.filter((_, n) => ![nginx, redis][n]);
  throw new Error(
    `Not installed: ${missing.map(({ use }) => use).join('; ')}. Install it and run this again; on Debian and Ubuntu: ` +
      `apt-get install ${missing.map(({ debian }) => debian).join(' ')}`,
  );
};
