import type { Logger } from '@platform/runtime';
import { Logger as GraphileLogger } from 'graphile-worker';

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/** Makes graphile-worker return a job that was not begun. It only knows failures, and logs this one as an error, which it is not. */
export class PutBack extends Error {
  constructor(why: string) {
    super(`${why}: the job went back to where it waited`);
  }
}

/** graphile-worker's messages in our log. Its `info` is one line per job: debug here. Its fields hold whole jobs with payloads and are dropped. */
export const graphileLogger = (logger: Logger): GraphileLogger =>
  new GraphileLogger(
    (scope) => (level, message, meta) =>
      logger[meta?.['error'] instanceof PutBack ? 'debug' : LEVELS[level]]('graphile-worker', {
        said: message,
        ...scope,
      }),
  );
