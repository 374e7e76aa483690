import type { AccountCalls } from '../../clients/graph.types';
import type { Room, RoomParts } from '../../room.parts';
import type { AccountDirectory } from '../accounts/public';
import type { CapEngine, CapReviews } from '../caps/public';
import type { PaymentCredits } from '../credits/public';
import type { IdempotencyKeys } from '../idempotency/public';
import { CAP_REVIEW_USAGE, capReviewCommand } from './cap-review.command';
import { reconcileJobs } from './reconcile.jobs';
import { recordEndpoints } from './record.endpoints';
import { spendingEndpoints } from './spending.endpoints';
import { Spending } from './spending.service';

export interface SpendingNeeds {
  readonly accounts: AccountDirectory;
  readonly caps: CapEngine;
  readonly reviews: CapReviews;
  readonly keys: IdempotencyKeys;
  readonly credits: PaymentCredits;
  readonly graph: Pick<AccountCalls, 'usage'>;
}

/** Changes of spend caps, their record, and the hourly comparison with upstream. */
export const composeSpending = (
  { database: sql, queue, logger }: RoomParts,
  { accounts, caps, reviews, keys, credits, graph }: SpendingNeeds,
): Room => ({
  endpoints: [
    ...spendingEndpoints(new Spending({ accounts, caps, keys }), credits),
    ...recordEndpoints({ sql, accounts, caps }),
  ],
  commands: {
    'cap-review': {
      summary: 'lists and resolves writes of spend caps of which nobody could tell what they did',
      usage: CAP_REVIEW_USAGE,
      run: async (args) => {
        await sql.start?.();
        await capReviewCommand(reviews)(args);
      },
    },
  },
  jobs: reconcileJobs({ sql, queue, caps, graph, logger }),
  // Of one application never all places: a thousand accounts of its leave room for the others
  runners: [
    {
      ...{ name: 'reconcile', tasks: ['caps.reconcile'], concurrency: 4 },
      share: { by: 'applicationId', most: 2 },
    },
  ],
});
