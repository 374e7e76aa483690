import type { Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { lockStore } from '../../../store.lock';
import { demandSeen } from '../../../web/seen';
import { isSwitchedOn } from '../methods/public';
import type { TransferAccount, TransferAccountBody } from './accounts.dto';
import { banks } from './banks';

const MOST_ACCOUNTS = 20;
const COLUMNS = 'a.id, a.bank_code, a.number, a.holder, a.active';

export const accountRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_ACCOUNTS} accounts`, { code: 'too_many_accounts' }),
  last: (): Failure =>
    new Conflict('Buyers have no other account: add one, or switch bank transfer off first', { code: 'last_account' }),
} as const;

type Row = Omit<TransferAccount, 'bank'>;
const shown = ({ id, ...row }: Row): TransferAccount => ({ id, ...row, bank: banks[row.bank_code] });

export const ACCOUNTS = `SELECT ${COLUMNS} FROM transfer_account a WHERE a.store_id = $1 ORDER BY a.created_at, a.id`;

/** All of a store, in the order in which they were added: so buyers see those that are active. */
export const accountsOf = async (sql: Sql, storeId: string): Promise<TransferAccount[]> =>
  (await sql.query<Row>(ACCOUNTS, [storeId])).map(shown);

/** The account and all others, after the store was locked. Throws `NotFound`. */
const locked = async (tx: Sql, { storeId }: Writer, id: string) => {
  await lockStore(tx, storeId);
  const all = await accountsOf(tx, storeId);
  const account = all.find((one) => one.id === id);
  if (!account) throw new NotFound('Account not found');
  return { account, isLast: account.active && !all.some((other) => other.active && other.id !== id) };
};

/** While transfers are switched on, buyers have an account to transfer to, once there was one. */
const refuseLast = async (tx: Sql, { storeId }: Writer, isLast: boolean): Promise<void> => {
  if (isLast && (await isSwitchedOn(tx, storeId, 'transfer'))) throw accountRefusals.last();
};

const told = (tx: Sql, by: Writer, id: string, before?: object, after?: object): Promise<void> =>
  audited(tx, by, { action: 'payment.settings', type: 'transfer_account', id, before, after });

/** Throws `too_many_accounts`. */
export const addAccount = async (tx: Sql, by: Writer, body: TransferAccountBody): Promise<TransferAccount> => {
  await lockStore(tx, by.storeId);
  const insert = `INSERT INTO transfer_account AS a (store_id, id, bank_code, number, holder, active, created_at, updated_at)
    SELECT $1::varchar, $2, $3, $4, $5, $6, $7, $7
    WHERE (SELECT count(*) FROM transfer_account o WHERE o.store_id = $1) < ${MOST_ACCOUNTS} RETURNING ${COLUMNS}`;
  const values = [by.storeId, uuidv7(), body.bank_code, body.number, body.holder, body.active ?? true, by.at];
  const [row] = await tx.query<Row>(insert, values);
  if (!row) throw accountRefusals.tooMany();
  const account = shown(row);
  await told(tx, by, account.id, undefined, account);
  return account;
};

/** Throws `NotFound`, `last_account` when it would leave buyers without one, and `version_conflict` when it is not what was `seen` of it. */
export const changeAccount = async (
  tx: Sql,
  by: Writer,
  id: string,
  { active = true, ...body }: TransferAccountBody,
  seen?: string,
): Promise<TransferAccount> => {
  const { account, isLast } = await locked(tx, by, id);
  demandSeen(seen, account);
  await refuseLast(tx, by, isLast && !active);
  const update = `UPDATE transfer_account a SET bank_code = $3, number = $4, holder = $5, active = $6, updated_at = $7
    WHERE a.store_id = $1 AND a.id = $2`;
  await tx.query(update, [by.storeId, id, body.bank_code, body.number, body.holder, active, by.at]);
  const after = shown({ id, ...body, active });
  await told(tx, by, id, account, after);
  return after;
};

/** Throws `NotFound` and `last_account`. */
export const removeAccount = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  const { account, isLast } = await locked(tx, by, id);
  await refuseLast(tx, by, isLast);
  await tx.query('DELETE FROM transfer_account WHERE store_id = $1 AND id = $2', [by.storeId, id]);
  await told(tx, by, id, account);
};
