import type { Sql } from '@platform/data';
import { Failure } from '@platform/errors';
import type { Tasks } from '@platform/jobs';
import type { Logger } from '@platform/runtime';
import type { AccountCalls } from '../../clients/graph.types';
import type { AdsJobs, Queue } from '../../jobs';
import type { CapEngine } from '../caps/public';

/** Percent of upstream's limits from which the rest is left to what somebody waits for (design 3.7). */
const BUSY = 80;
const HOUR_SECONDS = 3_600;

export interface ReconcileParts {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly caps: CapEngine;
  readonly graph: Pick<AccountCalls, 'usage'>;
  readonly logger: Logger;
}

type Jobs = Pick<Tasks<AdsJobs>, 'caps.reconcile-due' | 'caps.reconcile'>;

/**
 * Each account at its own time of the hour, the same in every one, so that its calls are an hour apart: by the database's clock, or one that is an hour
 * ahead would put each account off before it came.
 */
const dueStatement = (queue: Queue): string => `
  WITH due AS (
    SELECT application_id, account_id, now() + make_interval(secs => abs(hashtext(account_id) % ${HOUR_SECONDS})) AS at
    FROM ad_accounts WHERE deleted_at IS NULL)
  SELECT count((${queue.expression('caps.reconcile', {
    payload: `json_build_object('applicationId', application_id, 'accountId', account_id)`,
    key: `'caps.reconcile:' || account_id`,
    runAt: 'at',
    maxAttempts: 3,
  })}).id) FROM due`;

/** What upstream refuses or cannot do now comes again in an hour; only what is wrong with us is tried again. */
const reconcileOne = ({ caps, graph, logger }: ReconcileParts): Jobs['caps.reconcile']['run'] => {
  return async ({ applicationId, accountId }) => {
    if (graph.usage(accountId) >= BUSY)
      return logger.info('account is not reconciled: its limits are near', { accountId });
    try {
      await caps.reconcile(applicationId, accountId);
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.kind === 'unexpected') throw thrown;
      logger.info('account could not be reconciled', { accountId, reason: thrown.message });
    }
  };
};

/** Compares every account with its ledger once an hour (design 3.4). */
export const reconcileJobs = (parts: ReconcileParts): Jobs => ({
  'caps.reconcile-due': {
    effect: 'inside',
    cron: [{ pattern: '0 * * * *' }],
    run: async () => void (await parts.sql.query(dueStatement(parts.queue))),
  },
  'caps.reconcile': { effect: 'outside', run: reconcileOne(parts) },
});
