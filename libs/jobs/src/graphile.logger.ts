import type { Logger } from '@platform/runtime';
import { Logger as GraphileLogger } from 'graphile-worker';

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/** graphile-worker's words in our log. Its `info` is one line per job: debug here. Its own fields hold whole jobs with payloads and are left out. */
export const graphileLogger = (logger: Logger): GraphileLogger =>
  new GraphileLogger(
    (scope) => (level, message) => logger[LEVELS[level]]('graphile-worker', { said: message, ...scope }),
  );
