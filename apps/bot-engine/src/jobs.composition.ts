import type { Database } from '@platform/data';
import { openJobs, type Jobs, type Tasks } from '@platform/jobs';
import type { Area } from './area';
import { JOBS_SCHEMA, type BotJobs } from './jobs';
import type { RoomParts } from './room.parts';

/** The jobs of all rooms together. */
export const composeJobs = (
  { database, logger, sends }: Pick<RoomParts, 'database' | 'logger' | 'sends'>,
  { jobs, runners }: Pick<Required<Area>, 'jobs' | 'runners'>,
): Jobs<BotJobs> =>
  openJobs<BotJobs>({
    ...{ database, logger, sends, runners },
    ...{ name: 'bot-engine', schema: JOBS_SCHEMA, tasks: jobs as Tasks<BotJobs> },
  });

/** Tables of the service, then those of its jobs; a role that only reads and writes can check, not change. */
export const migrateAll = async (database: Database, jobs: Jobs<BotJobs>): Promise<void> => {
  try {
    await database.migrate();
    if ((await jobs.pending()).length > 0) await jobs.migrate();
  } finally {
    await database.stop?.();
  }
};
