import type { Database, Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { Queue } from '../../../jobs';
import { ledgerAccounts, signed } from '../../ledger/postings/public';
import { closeAt } from '../balance/public';

/** Stores of one round. */
const ROUND = 200;
/** What is left after so long is the next job's, which takes its turn among the others. */
const MOST_MS = 30_000;

/** Those that the ledger knows, behind $1, with the end of their last day: whoever posts for it has an hour to commit. */
const STORES = `
  SELECT s.store_id, s.currency,
    date_trunc('day', ($2::timestamptz - interval '1 hour') AT TIME ZONE s.timezone) AT TIME ZONE s.timezone AS until
  FROM store s WHERE s.store_id > $1 AND EXISTS (SELECT FROM ledger_account a WHERE a.store_id = s.store_id)
  ORDER BY s.store_id LIMIT ${ROUND}`;

/** Every entry of a store summed up again: $1 store. */
export const DIFFERENCES = `
  SELECT 'account ' || a.code || ' ' || a.currency AS what, (a.balance - coalesce(s.sum, 0))::text AS off_by
  FROM ledger_account a LEFT JOIN (
    SELECT e.account, e.currency, sum(${signed('e.account', 'e.side', 'e.amount')}) AS sum
    FROM ledger_entry e WHERE e.store_id = $1 GROUP BY e.account, e.currency
  ) s ON s.account = a.code AND s.currency = a.currency
  WHERE a.store_id = $1 AND a.balance <> coalesce(s.sum, 0)
  UNION ALL
  SELECT 'transaction ' || e.txn_id, sum(CASE e.side WHEN 'D' THEN e.amount ELSE -e.amount END)::text
  FROM ledger_entry e WHERE e.store_id = $1 GROUP BY e.txn_id, e.currency
  HAVING sum(CASE e.side WHEN 'D' THEN e.amount ELSE -e.amount END) <> 0`;

const FORGET = 'DELETE FROM ledger_difference WHERE store_id = $1';
const REMEMBER = `INSERT INTO ledger_difference (store_id, what, off_by, found_at) VALUES ($1, $2, $3, $4)`;

interface AuditedStore {
  readonly store_id: string;
  readonly currency: string;
  readonly until: Date;
}
interface Difference {
  readonly what: string;
  readonly off_by: string;
}

export interface AuditParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sums every ledger up again, store by store, and closes the last day of each. What does not add up stays on the list that
 * `ledger_differences` counts, until an audit finds it gone. A store that fails is logged and left for the next night.
 */
export class LedgerAudit {
  constructor(private readonly parts: AuditParts) {}

  /** The job; `after` is the store that it goes on behind. */
  async run({ after = '' }: { readonly after?: string | undefined }, signal?: AbortSignal): Promise<void> {
    const { database, queue, clock } = this.parts;
    const end = performance.now() + MOST_MS;
    for (let last = after; ;) {
      const stores = await database.query<AuditedStore>(STORES, [last, clock.now()]);
      for (const store of stores) {
        await this.one(store).catch((cause: unknown) => this.passOver(store, cause));
        last = store.store_id;
        if (signal?.aborted || performance.now() > end)
          return void (await queue.enqueue(database, 'ledger.audit', { after: last }, { key: 'ledger.audit' }));
      }
      if (stores.length < ROUND) return;
    }
  }

  /** One that cannot be summed up, because it is too large or broken, keeps nobody behind it waiting. */
  private passOver({ store_id: storeId }: AuditedStore, cause: unknown): void {
    if (cause instanceof Unavailable) throw cause;
    this.parts.logger.error('the ledger of a store could not be audited', { storeId, cause });
  }

  /** What is off in the ledger of one store; its day is closed when nothing is. */
  private async one({ store_id: storeId, currency, until }: AuditedStore): Promise<void> {
    const { database, clock, logger } = this.parts;
    // One statement: balances and entries are of the same moment
    const found = await database.query<Difference>(DIFFERENCES, [storeId]);
    for (const { what, off_by } of found) logger.error('the ledger does not add up', { storeId, what, off_by });
    await database.tx(async (tx) => {
      await tx.query(FORGET, [storeId]);
      for (const { what, off_by } of found) await tx.query(REMEMBER, [storeId, what, off_by, clock.now()]);
      if (found.length === 0) await closeAt(tx, { storeId, currency, at: until }, ledgerAccounts);
    });
  }
}
