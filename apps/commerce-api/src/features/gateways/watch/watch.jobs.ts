import type { Clock } from '@platform/runtime';
import type { Area, AreaParts } from '../../../area';
import { inTime } from '../../../astray';
import type { CommerceJobs } from '../../../jobs';
import type { Watch } from './watch';
import { OUTCOME } from './watch.sql';

type Confirm = CommerceJobs['payment.confirm.a'];

/** What is done for payments without anybody asking; the notice that asked for it learns what came of it. */
export const watchJobs = (
  { database, clock, logger }: Pick<AreaParts, 'database' | 'clock' | 'logger'>,
  watchBy: (clock: Clock) => Watch,
): Required<Area>['jobs'] => {
  const confirm = {
    effect: 'outside' as const,
    run: inTime(database, { clock, logger }, async (now, signal, { storeId, paymentId, eventId }: Confirm) => {
      const applied = await watchBy(now).look(storeId, paymentId, signal);
      if (eventId !== undefined) await database.query(OUTCOME, [storeId, eventId, applied]);
    }),
  };
  return {
    'payment.confirm.a': confirm,
    'payment.confirm.b': confirm,
    'payment.confirm.c': confirm,
    'payment.reconcile': {
      effect: 'inside',
      run: () => watchBy(clock).reconcile(),
      cron: [{ pattern: '* * * * *' }],
    },
  };
};
