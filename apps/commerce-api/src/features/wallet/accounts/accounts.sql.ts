import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { banks, type BankCode } from '../../paying/accounts/public';
import type { BankAccount } from './accounts.dto';

const COLUMNS = 'a.id, a.bank_code, a.last4, a.holder, a.verified_at, a.usable_from, a.is_primary';

export interface AccountRow extends Omit<BankAccount, 'bank' | 'verified_at' | 'usable_from'> {
  readonly verified_at: Date | null;
  readonly usable_from: Date | null;
}

export const shownAccount = ({ id, bank_code, ...row }: AccountRow): BankAccount => ({
  ...{ id, bank_code, bank: banks[bank_code], last4: row.last4, holder: row.holder },
  verified_at: row.verified_at?.toISOString() ?? null,
  usable_from: row.usable_from?.toISOString() ?? null,
  is_primary: row.is_primary,
});

export const ACCOUNTS = `SELECT ${COLUMNS} FROM bank_account a WHERE a.store_id = $1 ORDER BY a.created_at, a.id`;

/** All of a store, in the order in which they were added. */
export const accountRows = (sql: Sql, storeId: string): Promise<AccountRow[]> =>
  sql.query<AccountRow>(ACCOUNTS, [storeId]);

/** One account; `lock` goes behind the statement. Throws `NotFound`, also for one of another store. */
export const accountById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<AccountRow> => {
  const text = `SELECT ${COLUMNS} FROM bank_account a WHERE a.store_id = $1 AND a.id = $2 ${lock}`;
  const [row] = await sql.query<AccountRow>(text, [storeId, id]);
  if (row) return row;
  throw new NotFound('Account not found');
};

export const INSERT = `
  INSERT INTO bank_account AS a (store_id, id, bank_code, number_enc, last4, holder, verified_at, usable_from, is_primary,
    created_at, updated_at)
  VALUES ($1::varchar, $2, $3, $4, $5, $6, $7, $8, NOT EXISTS (SELECT FROM bank_account o WHERE o.store_id = $1::varchar AND o.is_primary), $9, $9)
  RETURNING ${COLUMNS}`;

export const VERIFY = `
  UPDATE bank_account a SET verified_at = $3, usable_from = $4, updated_at = $3
  WHERE a.store_id = $1 AND a.id = $2 AND a.verified_at IS NULL RETURNING ${COLUMNS}`;

/** Money may be on its way to it. */
export const IN_USE = `SELECT 1 FROM withdrawal w WHERE w.store_id = $1 AND w.bank_account_id = $2
  AND w.status IN ('requested', 'approved', 'processing') LIMIT 1`;

/** Sealed for this row alone. */
export const numberPurpose = (storeId: string, id: string): string => `bank_account/${storeId}/${id}`;

export interface PayoutTarget extends AccountRow {
  readonly bank_code: BankCode;
  readonly number_enc: string;
}

/** An account that money is to be sent to, which stays while the transaction runs; undefined: not of this store. */
export const payoutTarget = async (tx: Sql, storeId: string, id: string): Promise<PayoutTarget | undefined> => {
  const text = `SELECT ${COLUMNS}, a.number_enc FROM bank_account a WHERE a.store_id = $1 AND a.id = $2 FOR SHARE`;
  return (await tx.query<PayoutTarget>(text, [storeId, id]))[0];
};
