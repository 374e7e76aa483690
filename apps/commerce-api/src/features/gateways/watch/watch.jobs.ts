import type { Sql } from '@platform/data';
import type { Area } from '../../../area';
import type { CommerceJobs } from '../../../jobs';
import type { Watch } from './watch';
import { OUTCOME } from './watch.sql';

type Confirm = CommerceJobs['payment.confirm.a'];

/** What is done for payments without anybody asking; the notice that asked for it learns what came of it. */
export const watchJobs = (sql: Sql, watch: Watch): Required<Area>['jobs'] => {
  const confirm = {
    effect: 'outside' as const,
    run: async ({ storeId, paymentId, eventId }: Confirm, { signal }: { readonly signal: AbortSignal }) => {
      const applied = await watch.look(storeId, paymentId, signal);
      if (eventId !== undefined) await sql.query(OUTCOME, [storeId, eventId, applied]);
    },
  };
  return {
    'payment.confirm.a': confirm,
    'payment.confirm.b': confirm,
    'payment.confirm.c': confirm,
    'payment.reconcile': {
      effect: 'inside',
      run: () => watch.reconcile(),
      cron: [{ pattern: '* * * * *' }],
    },
  };
};
