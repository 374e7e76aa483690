import { onPath } from '@platform/stack/workspace';

export interface Programs {
  readonly nginx: string;
  readonly redis: string;
}

/** Where Debian keeps servers, and only root's PATH leads. */
export const DEBIAN_PATH = '/usr/sbin:/usr/local/sbin';

const NEEDED = [
  { file: 'nginx', use: 'nginx, the balancer', debian: 'nginx-light' },
  { file: 'redis-server', use: 'Redis', debian: 'redis-server' },
] as const;

/** What several processes of a service need of this machine. Throws with the names of Debian's packages. */
export const programsOn = (path: string): Programs => {
  const [nginx, redis] = NEEDED.map(({ file }) => onPath(file, { PATH: path }));
  if (nginx && redis) return { nginx, redis };
  const missing = NEEDED.filter((_, n) => ![nginx, redis][n]);
  throw new Error(
    `Not installed: ${missing.map(({ use }) => use).join('; ')}. Install it and run this again; on Debian and Ubuntu: ` +
      `apt-get install ${missing.map(({ debian }) => debian).join(' ')}`,
  );
};
