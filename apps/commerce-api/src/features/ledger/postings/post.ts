import { bigintNumber, isCheckViolation, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { ledgerAccounts, type LedgerAccount } from './accounts';
import { BALANCES, LOCK_BOOKS, POST, POSTED, WRONG } from './post.sql';

export type PostingKind =
  | 'order_paid'
  | 'payment_reversed'
  | 'settlement'
  | 'refund'
  | 'topup'
  | 'subscription'
  | 'withdrawal_requested'
  | 'withdrawal_paid'
  | 'withdrawal_returned'
  | 'charge'
  | 'charge_reversed';

/** One side of a posting; amounts in the settlement unit of its currency. */
export interface Entry {
  readonly account: LedgerAccount;
  readonly side: 'D' | 'C';
  readonly amount: number;
}

export interface Posting {
  /** Under it a store posts once, for ever. */
  readonly key: string;
  readonly kind: PostingKind;
  /** Id of what is posted. */
  readonly ref: string;
  readonly currency: string;
  readonly note?: string | undefined;
  /** Each account once; of those of 0 nothing is written. */
  readonly entries: readonly Entry[];
}

/** What has come to the platform's account at a provider, less what that keeps: the debit side of a payment. */
export const arrived = (amount: number, fee = 0): readonly Entry[] => {
  const kept = Math.min(Math.max(fee, 0), amount);
  return [
    { account: 'gateway_clearing', side: 'D', amount: amount - kept },
    { account: 'fee_expense', side: 'D', amount: kept },
  ];
};

export const ledgerRefusals = {
  insufficientBalance: (): Failure =>
    new Conflict('There is not enough money in the wallet', { code: 'insufficient_balance' }),
} as const;

/** What accounts hold, on their own side. */
type Balances = Partial<Readonly<Record<LedgerAccount, number>>>;

const valuesOf = ({ storeId, actor, at }: By, posting: Posting, reverses: string | null = null): unknown[] => {
  const { key, kind, ref, currency, note = '' } = posting;
  const entries = JSON.stringify(posting.entries.filter(({ amount }) => amount !== 0));
  return [storeId, uuidv7(), key, kind, ref, note, reverses, actor, at, currency, entries];
};

interface MovedRow {
  readonly account: LedgerAccount;
  readonly balance_after: string;
}

const write = async (tx: Sql, values: readonly unknown[]): Promise<Balances | undefined> => {
  try {
    const rows = await tx.prepared<MovedRow>('ledger post', POST, values);
    if (rows.length === 0) return undefined;
    return Object.fromEntries(rows.map(({ account, balance_after }) => [account, bigintNumber.from(balance_after)]));
  } catch (error) {
    if (isCheckViolation(error, 'ledger_account_covered')) throw ledgerRefusals.insufficientBalance();
    throw error;
  }
};

/**
 * Posts once for a key of a store, in one statement; false when that key was posted before. Balances move with the entries, and accounts
 * are locked in the order of their codes until the transaction ends. Throws `insufficient_balance` when an account of the wallet would
 * fall below 0: the transaction is then to be rolled back. The database refuses what does not balance when the transaction commits.
 */
export const post = async (tx: Sql, by: By, posting: Posting): Promise<boolean> =>
  (await write(tx, valuesOf(by, posting))) !== undefined;

/** The same, and what its accounts hold then; all of them, when it was posted before. */
export const postTold = async (tx: Sql, by: By, posting: Posting): Promise<Balances> =>
  (await write(tx, valuesOf(by, posting))) ?? balancesOf(tx, by.storeId, posting.currency);

/**
 * The same, with the next statement of the transaction, for what takes nothing from the wallet: nobody else waits for the accounts longer
 * than the server takes from there to the commit.
 */
export const postLater = (tx: Sql, by: By, posting: Posting): Promise<void> =>
  tx.later('ledger post', POST, valuesOf(by, posting));

/**
 * Locks all accounts of a store in the order of their codes, before a transaction that posts to several of them one after the other: else the
 * second posting would want one that somebody has who waits for one of the first.
 */
export const lockBooks = async (tx: Sql, { storeId }: Pick<By, 'storeId'>, currency: string): Promise<void> => {
  await tx.query(LOCK_BOOKS, [storeId, currency]);
};

/** A posting that is to be taken back. */
export interface Reversal {
  readonly key: string;
  /** Under which the original was posted. */
  readonly original: string;
  readonly kind: PostingKind;
  readonly note?: string | undefined;
}

interface PostedRow {
  readonly id: string;
  readonly ref: string;
  readonly account: LedgerAccount;
  readonly side: 'D' | 'C';
  readonly amount: string;
  readonly currency: string;
}

/** Posts the exact opposite of a posting; false when that was done before. Throws `NotFound` when there is none, and what `post` does. */
export const reverse = async (tx: Sql, by: By, { key, original, kind, note }: Reversal): Promise<boolean> => {
  const rows = await tx.query<PostedRow>(POSTED, [by.storeId, original]);
  const [first] = rows;
  if (!first) throw new NotFound('Nothing was posted that could be reversed');
  const entries = rows.map(({ account, side, amount }): Entry => ({
    account,
    side: side === 'D' ? 'C' : 'D',
    amount: bigintNumber.from(amount),
  }));
  const posting = { key, kind, note, entries, ref: first.ref, currency: first.currency };
  return (await write(tx, valuesOf(by, posting, first.id))) !== undefined;
};

/** Whether a store has posted under this key. */
export const isPosted = async (sql: Sql, storeId: string, key: string): Promise<boolean> =>
  (await sql.query('SELECT 1 FROM ledger_txn WHERE store_id = $1 AND idempotency_key = $2', [storeId, key])).length > 0;

/** What each account of a store holds, on its own side; 0 where nothing was posted. */
export const balancesOf = async (
  sql: Sql,
  storeId: string,
  currency: string,
): Promise<Record<LedgerAccount, number>> => {
  const rows = await sql.prepared<{ code: LedgerAccount; balance: string }>('ledger balances', BALANCES, [
    storeId,
    currency,
  ]);
  const known = new Map(rows.map(({ code, balance }) => [code, bigintNumber.from(balance)]));
  return Object.fromEntries(ledgerAccounts.map((code) => [code, known.get(code) ?? 0])) as Record<
    LedgerAccount,
    number
  >;
};

/** Throws with what is wrong, of all stores, when a transaction does not balance, or a balance is not what its entries sum up to. */
export const auditLedger = async (sql: Pick<Sql, 'query'>): Promise<void> => {
  const wrong = await sql.query<{ store_id: string; what: string; off: string }>(WRONG, []);
  if (wrong.length === 0) return;
  const told = wrong.map(({ store_id, what, off }) => `${what} of store ${store_id} is off by ${off}`);
  throw new Error(`The ledger does not add up: ${told.join('; ')}`);
};
