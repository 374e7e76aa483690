import { signed } from './accounts';

/**
 * One transaction of the ledger, unless its key was used: $1 store, $2 id, $3 key, $4 kind, $5 ref, $6 note, $7 what it reverses, $8 actor,
 * $9 now, $10 currency, $11 entries. The accounts are locked in the order of their codes, and their balances move by what the entries say:
 * a row that would be opened below 0 is refused by its check, like one that would fall below. What is proposed for a row that is there
 * counts nothing, and must only pass that check.
 */
export const POST = `
  WITH txn AS (
    INSERT INTO ledger_txn (store_id, id, idempotency_key, kind, ref, note, reverses, actor, posted_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (store_id, idempotency_key) DO NOTHING RETURNING store_id, id
  ), entry AS (
    SELECT account, side, amount, ${signed('account', 'side', 'amount')} AS delta
    FROM jsonb_to_recordset($11::jsonb) AS e(account text, side text, amount bigint)
  ), moved AS (
    INSERT INTO ledger_account AS a (store_id, code, currency, balance)
    SELECT txn.store_id, entry.account, $10, CASE WHEN known.code IS NULL THEN entry.delta ELSE 0 END
    FROM txn CROSS JOIN entry
      LEFT JOIN ledger_account known ON known.store_id = $1 AND known.code = entry.account AND known.currency = $10
    ORDER BY entry.account
    ON CONFLICT (store_id, code, currency)
      DO UPDATE SET balance = a.balance + (SELECT entry.delta FROM entry WHERE entry.account = a.code)
    RETURNING code, balance
  )
  INSERT INTO ledger_entry (store_id, txn_id, account, currency, side, amount, balance_after)
  SELECT txn.store_id, txn.id, entry.account, $10, entry.side, entry.amount, moved.balance
  FROM txn CROSS JOIN entry JOIN moved ON moved.code = entry.account
  RETURNING account, balance_after`;

/** What was posted under a key: $1 store, $2 key. */
export const POSTED = `
  SELECT t.id, t.ref, e.account, e.side, e.amount, e.currency
  FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id
  WHERE t.store_id = $1 AND t.idempotency_key = $2`;

/** The accounts of a store by their codes, as each posting locks its own: $1 store, $2 currency. */
export const LOCK_BOOKS =
  'SELECT FROM ledger_account WHERE store_id = $1 AND currency = $2 ORDER BY code FOR NO KEY UPDATE';

export const BALANCES = 'SELECT code, balance FROM ledger_account WHERE store_id = $1 AND currency = $2';

/** Transactions that do not balance, and accounts whose balance is not the sum of their entries. */
export const WRONG = `
  SELECT store_id, 'transaction ' || txn_id AS what, sum(CASE side WHEN 'D' THEN amount ELSE -amount END)::text AS off
  FROM ledger_entry GROUP BY store_id, txn_id, currency HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0
  UNION ALL
  SELECT a.store_id, 'account ' || a.code, (a.balance - coalesce(s.sum, 0))::text
  FROM ledger_account a LEFT JOIN LATERAL (
    SELECT sum(${signed('e.account', 'e.side', 'e.amount')}) FROM ledger_entry e
    WHERE e.store_id = a.store_id AND e.account = a.code AND e.currency = a.currency) s ON true
  WHERE a.balance <> coalesce(s.sum, 0)
  LIMIT 20`;
