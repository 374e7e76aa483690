import { isDeepStrictEqual } from 'node:util';
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

/** The same by what accounts hold now, without what came since, whatever closes say: the same parameters. */
const HELD_AT = `
  SELECT asked.account, coalesce((SELECT a.balance FROM ledger_account a
      WHERE a.store_id = $1 AND a.currency = $2 AND a.code = asked.account), 0)
    - coalesce((SELECT sum(${AMOUNT}) FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id
      WHERE t.store_id = $1 AND t.posted_at >= $3 AND e.account = asked.account AND e.currency = $2), 0) AS balance
  FROM unnest($4::text[]) AS asked(account)`;

interface Moment {
  readonly storeId: string;
  readonly currency: string;
  readonly at: Date;
}

const balances =
  (statement: string) =>
  async <Account extends LedgerAccount>(
    sql: Sql,
    { storeId, currency, at }: Moment,
    accounts: readonly Account[],
  ): Promise<ReadonlyMap<Account, number>> => {
    const rows = await sql.query<{ account: Account; balance: string }>(statement, [storeId, currency, at, accounts]);
    return new Map(rows.map(({ account, balance }) => [account, bigintNumber.from(balance)]));
  };

/** The balances of accounts at a moment, in the settlement unit. */
export const balancesAt = balances(BALANCE_AT);
const heldAt = balances(HELD_AT);

const CLOSE = `INSERT INTO ledger_close (store_id, currency, until, account, balance) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING`;
const REOPEN = 'DELETE FROM ledger_close WHERE store_id = $1 AND currency = $2';

/**
 * Writes down what every account of a store held at a moment; one that was written stays. Where closes do not say it, because one was made
 * before its day was over, or an entry was written into a day behind it, by a clock that was off, none of them is believed any more.
 */
export const closeAt = async (tx: Sql, moment: Moment, accounts: readonly LedgerAccount[]): Promise<void> => {
  const { storeId, currency, at } = moment;
  const held = await heldAt(tx, moment, accounts);
  if (!isDeepStrictEqual(await balancesAt(tx, moment, accounts), held)) await tx.query(REOPEN, [storeId, currency]);
  for (const [account, balance] of held) await tx.query(CLOSE, [storeId, currency, at, account, balance]);
};
