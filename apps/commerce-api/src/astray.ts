import { notAhead, type Sql } from '@platform/data';
import type { JobContext } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';

interface Clocked {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The run of a job that ends what time has passed over, by a clock that is not ahead of the database's. */
export const inTime =
  <Payload extends object>(
    sql: Sql,
    clocked: Clocked,
    work: (clock: Clock, signal: AbortSignal, payload: Payload) => Promise<unknown>,
  ) =>
  async (payload: Payload, { signal }: Pick<JobContext, 'signal'>): Promise<void> => {
    await work(await notAhead(sql, clocked), signal, payload);
  };
