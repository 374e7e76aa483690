import { isAstray } from '@platform/data';
import { systemClock } from '@platform/runtime';
import type { AreaParts } from '../../../area';
import type { CommerceJobs } from '../../../jobs';
import type { JobDefinition } from '@platform/jobs';
import type { MediaSweep } from './media.sweep';

/** Every hour what is due; at night also all files and rows. */
const CRON = [{ pattern: '17 * * * *' }, { pattern: '43 19 * * *', payload: { walk: true } }];

/** A walk that is not done when its time is up goes on in a job of its own, behind whatever waits by then. */
export const sweepJob = (
  sweep: MediaSweep,
  { database, queue, logger }: Pick<AreaParts, 'database' | 'queue' | 'logger'>,
): JobDefinition<CommerceJobs['media.sweep']> => ({
  effect: 'inside',
  cron: CRON,
  run: async ({ walk = false, after }, { signal }) => {
    if (!after) await sweep.rows(signal);
    if (!walk) return;
    // Files are stamped by the system's clock: while that is wrong nobody knows how old one is
    if (!after && !(await isAstray(database, { clock: systemClock, logger }))) await sweep.strays(signal);
    const rest = await sweep.missing(after, signal);
    if (rest) await queue.enqueue(database, 'media.sweep', { walk, after: rest }, { key: 'media.sweep walk' });
  },
});
