import type { Database } from '@platform/data';
import { openJobs, type Jobs } from '@platform/jobs';
import type { CoreDeps } from './core.composition';
import { schema } from './data-source';
import { timelyRetention } from './features/retention/retention';

/** Tables of the jobs. */
export const JOBS_SCHEMA = `${schema}_jobs`;

/** Work by the clock that one process does for all. */
export const composeRetention = (
  database: Database,
  { logger, clock, sends }: CoreDeps,
): Jobs<{ retention: unknown }> =>
  openJobs<{ retention: unknown }>({
    database,
    logger,
    schema: JOBS_SCHEMA,
    // Deletes old rows of our own
    tasks: {
      retention: {
        effect: 'inside',
        run: timelyRetention({ sql: database, clock }),
        cron: [{ pattern: '17 * * * *' }],
      },
    },
    sends,
    concurrency: 1,
  });
