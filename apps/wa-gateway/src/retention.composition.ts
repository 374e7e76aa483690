import type { Database } from '@platform/data';
import { openJobs, type Jobs } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';
import { schema } from './data-source';
import { retention } from './features/retention/retention';

/** Tables of the jobs. */
export const JOBS_SCHEMA = `${schema}_jobs`;

/** Work by the clock that one process does for all. */
export const composeRetention = (
  database: Database,
  { logger, clock }: { logger: Logger; clock: Clock },
): Jobs<{ retention: unknown }> =>
  openJobs<{ retention: unknown }>({
    database,
    logger,
    schema: JOBS_SCHEMA,
    tasks: { retention: retention({ sql: database, clock }) },
    cron: [{ task: 'retention', pattern: '17 * * * *' }],
    concurrency: 1,
  });
