import { bigintNumber, listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { banks, type BankCode } from '../../paying/accounts/public';
import { WithdrawalsQuery, type Withdrawal, type WithdrawalState } from './withdrawals.dto';

const COLUMNS = `w.id, w.amount, w.fee, w.currency, w.bank_account_id, w.bank_code, w.last4, w.holder, w.status, w.failure, w.provider_ref,
  w.created_at, w.paid_at`;

interface Stored {
  readonly id: string;
  readonly amount: string;
  readonly fee: string;
  readonly currency: string;
  readonly bank_account_id: string;
  readonly bank_code: BankCode;
  readonly last4: string;
  readonly holder: string;
  readonly status: WithdrawalState;
  readonly failure: string | null;
  readonly provider_ref: string | null;
  readonly created_at: Date;
  readonly paid_at: Date | null;
}

/** A withdrawal as it stands; amounts in the settlement unit of its currency. */
export interface WithdrawalRow extends Omit<Stored, 'amount' | 'fee'> {
  readonly amount: number;
  readonly fee: number;
}

const read = ({ amount, fee, ...row }: Stored): WithdrawalRow => ({
  ...row,
  amount: bigintNumber.from(amount),
  fee: bigintNumber.from(fee),
});

export const shownWithdrawal = ({ id, amount, fee, bank_code, last4, holder, ...row }: WithdrawalRow): Withdrawal => ({
  ...{ id, amount, fee, received: amount, account: { bank: banks[bank_code], last4, holder } },
  ...{ status: row.status, failure: row.failure, created_at: row.created_at.toISOString() },
  paid_at: row.paid_at?.toISOString() ?? null,
});

export const withdrawalListing = listingOf(WithdrawalsQuery, {
  from: 'withdrawal w',
  tenant: 'w.store_id',
  select: COLUMNS,
  sort: { created_at: 'w.created_at' },
  usualSort: '-created_at',
  tie: 'w.id',
  where: { status: 'w.status = ?' },
  read: (row: Stored): Withdrawal => shownWithdrawal(read(row)),
});

const found = (rows: readonly Stored[]): WithdrawalRow => {
  const [row] = rows;
  if (row) return read(row);
  throw new NotFound('Withdrawal not found');
};

/** `lock` goes behind the statement. Throws `NotFound`, also for one of another store. */
export const withdrawalById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<WithdrawalRow> =>
  found(
    await sql.query<Stored>(`SELECT ${COLUMNS} FROM withdrawal w WHERE w.store_id = $1 AND w.id = $2 ${lock}`, [
      storeId,
      id,
    ]),
  );

/** What was requested under a key; undefined: nothing yet. */
export const withdrawalOfKey = async (sql: Sql, storeId: string, key: string): Promise<WithdrawalRow | undefined> => {
  const text = `SELECT ${COLUMNS} FROM withdrawal w WHERE w.store_id = $1 AND w.idempotency_key = $2`;
  const [row] = await sql.query<Stored>(text, [storeId, key]);
  return row && read(row);
};

/**
 * $1 store, $2 id, $3 account, $4 amount, $5 fee, $6 currency, $7 bank, $8 sealed number, $9 last four, $10 holder, $11 state, $12 key,
 * $13 actor, $14 now. Its id is the provider's reference too, by which its store is found.
 */
const INSERT = `
  WITH claimed AS (
    INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('withdrawal', $2::text, $1::text, $2::text)
  )
  INSERT INTO withdrawal AS w (store_id, id, bank_account_id, amount, fee, currency, bank_code, number_enc, last4, holder, status,
    idempotency_key, requested_by, approved_at, next_try_at, created_at, updated_at)
  VALUES ($1::varchar, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11::text, $12, $13, CASE WHEN $11::text = 'approved' THEN $14::timestamptz END,
    CASE WHEN $11::text = 'approved' THEN $14::timestamptz END, $14, $14)
  RETURNING ${COLUMNS}`;

export const insertWithdrawal = async (tx: Sql, values: readonly unknown[]): Promise<WithdrawalRow> =>
  found(await tx.query<Stored>(INSERT, values));

/** The store of a withdrawal, by the id that operators and providers name; undefined: it is none of ours. */
export const storeOfWithdrawal = async (sql: Sql, id: string): Promise<string | undefined> => {
  const text = `SELECT store_id FROM global_key WHERE kind = 'withdrawal' AND value = $1`;
  return (await sql.query<{ store_id: string }>(text, [id]))[0]?.store_id;
};
