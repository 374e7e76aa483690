import { openJobs, type Jobs, type Tasks } from '@platform/jobs';
import { Sends } from '@platform/runtime';
import { tellObservers } from './announce';
import type { AreaParts } from './area';
import type { Config } from './config';
import { JOBS_AT_ONCE, JOBS_SCHEMA, runners, SHARE_OF_A_STORE, type CommerceJobs } from './jobs';

/** The jobs of all areas together. */
export const composeJobs = (
  { SENDS }: Config,
  { database, logger }: Pick<AreaParts, 'database' | 'logger'>,
  tasks: Partial<Tasks<CommerceJobs>>,
): Jobs<CommerceJobs> => {
  const all = tasks as Tasks<CommerceJobs>;
  return openJobs<CommerceJobs>({
    database,
    logger,
    name: 'commerce-api',
    schema: JOBS_SCHEMA,
    tasks: { ...all, 'event.told': { effect: 'inside', run: tellObservers(all, database) } },
    sends: new Sends(SENDS),
    concurrency: JOBS_AT_ONCE,
    share: SHARE_OF_A_STORE,
    runners,
  });
};
