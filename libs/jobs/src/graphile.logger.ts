import type { Logger } from '@platform/runtime';
import { Logger as GraphileLogger } from 'graphile-worker';

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/** Makes graphile-worker return a job that was not begun. It only knows failures, and logs this one as an error, which it is not. */
export class PutBack extends Error {
  constructor(why: string) {
    super(`${why}: the job went back to where it waited`);
  }
}

type Meta = Readonly<Record<string, unknown>> | undefined;

/** It counts on every free place asking the database; here few do (`Lookout`), so that a smaller pool slows nothing down. */
const isOfFreePlaces = (meta: Meta): boolean => meta !== undefined && 'max' in meta && 'concurrency' in meta;

const isExpected = (meta: Meta): boolean => meta?.['error'] instanceof PutBack || isOfFreePlaces(meta);

/** graphile-worker's words in our log. Its `info` is one line per job: debug here. Its own fields hold whole jobs with payloads and are left out. */
export const graphileLogger = (logger: Logger): GraphileLogger =>
  new GraphileLogger(
    (scope) => (level, message, meta) =>
      logger[isExpected(meta) ? 'debug' : LEVELS[level]]('graphile-worker', {
        said: message,
        ...scope,
      }),
  );
