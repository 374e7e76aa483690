import { bigintNumber, type Sql } from '@platform/data';
import type { LedgerAccount } from '../../ledger/postings/public';
import { AMOUNT } from './lines';

/**
 * What accounts held before the entries of a moment: the last close before it and what came since. $1 store, $2 currency, $3 moment,
 * $4 accounts.
 */
const BALANCE_AT = `
  WITH last AS (
    SELECT max(until) AS until FROM ledger_close WHERE store_id = $1 AND currency = $2 AND until <= $3
  )
  SELECT asked.account, coalesce((SELECT c.balance FROM ledger_close c
      WHERE c.store_id = $1 AND c.currency = $2 AND c.until = last.until AND c.account = asked.account), 0)
    + coalesce((SELECT sum(${AMOUNT}) FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id
      WHERE t.store_id = $1 AND t.posted_at < $3 AND t.posted_at >= coalesce(last.until, '-infinity')
        AND e.account = asked.account AND e.currency = $2), 0) AS balance
  FROM last CROSS JOIN unnest($4::text[]) AS asked(account)`;

/** The balances of accounts at a moment, in the settlement unit. */
export const balancesAt = async <Account extends LedgerAccount>(
  sql: Sql,
  { storeId, currency, at }: { readonly storeId: string; readonly currency: string; readonly at: Date },
  accounts: readonly Account[],
): Promise<ReadonlyMap<Account, number>> => {
  const rows = await sql.query<{ account: Account; balance: string }>(BALANCE_AT, [storeId, currency, at, accounts]);
  return new Map(rows.map(({ account, balance }) => [account, bigintNumber.from(balance)]));
};

const CLOSE = `INSERT INTO ledger_close (store_id, currency, until, account, balance) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING`;

/** Writes down what every account of a store held at a moment; one that was written stays. */
export const closeAt = async (
  tx: Sql,
  moment: { readonly storeId: string; readonly currency: string; readonly at: Date },
  accounts: readonly LedgerAccount[],
): Promise<void> => {
  for (const [account, balance] of await balancesAt(tx, moment, accounts))
    await tx.query(CLOSE, [moment.storeId, moment.currency, moment.at, account, balance]);
};
