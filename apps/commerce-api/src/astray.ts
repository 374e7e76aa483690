import { isAstray, type Sql } from '@platform/data';
import type { JobContext } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';

interface Clocked {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The run of a job that ends or deletes what time has passed over. */
export const unlessAstray =
  (sql: Sql, clocked: Clocked, work: (signal: AbortSignal) => Promise<unknown>) =>
  async (_payload: object, { signal }: Pick<JobContext, 'signal'>): Promise<void> => {
    if (!(await isAstray(sql, clocked))) await work(signal);
  };
