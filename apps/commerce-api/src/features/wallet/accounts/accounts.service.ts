import type { SecretBox } from '@platform/auth';
import type { Database, Sql } from '@platform/data';
import { Conflict, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { lockStore } from '../../../store.lock';
import { approvedNameOf } from '../../verification/kyc/public';
import type { BankAccount, NewBankAccount } from './accounts.dto';
import {
  accountById,
  accountRows,
  IN_USE,
  INSERT,
  numberPurpose,
  shownAccount,
  VERIFY,
  type AccountRow,
} from './accounts.sql';

const MOST_ACCOUNTS = 20;
/** Whoever adds an account of their own to somebody's wallet is noticed before money goes there. */
const USABLE_AFTER_MS = 24 * 3_600_000;

export const accountRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_ACCOUNTS} accounts`, { code: 'too_many_accounts' }),
  inUse: (): Failure => new Conflict('A withdrawal to this account is open', { code: 'in_use' }),
} as const;

const told = (tx: Sql, by: Writer, id: string, before?: BankAccount, after?: BankAccount): Promise<void> =>
  audited(tx, by, { action: 'wallet.withdraw', type: 'bank_account', id, before, after });

/** Upper and lower case, spaces and how letters are composed make no difference. */
const bare = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/gu, '');

const isSameName = (holder: string, name: string | null): boolean => name !== null && bare(holder) === bare(name);

const usableFrom = (at: Date): Date => new Date(at.getTime() + USABLE_AFTER_MS);

/** Marks an account as that of whom the identity check names, from a day later on; one that was verified stays as it is. Throws `NotFound`. */
export const verifyBankAccount = async (tx: Sql, by: Writer, id: string): Promise<BankAccount> => {
  const before = shownAccount(await accountById(tx, by.storeId, id, 'FOR UPDATE'));
  const [row] = await tx.query<AccountRow>(VERIFY, [by.storeId, id, by.at, usableFrom(by.at)]);
  if (!row) return before;
  const after = shownAccount(row);
  await told(tx, by, id, before, after);
  return after;
};

/** Verifies the accounts whose holder the identity check names: for the moment when it is approved. */
export const verifyMatchingAccounts = async (tx: Sql, by: Writer): Promise<void> => {
  const name = await approvedNameOf(tx, by.storeId);
  for (const { id, holder, verified_at: verified } of await accountRows(tx, by.storeId))
    if (verified === null && isSameName(holder, name)) await verifyBankAccount(tx, by, id);
};

/** Where the money of a store can go. Numbers are sealed, and nothing shows more of them than the last four digits. */
export class AccountsService {
  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly box: SecretBox,
  ) {}

  async list(storeId: string): Promise<BankAccount[]> {
    return (await accountRows(this.database, storeId)).map(shownAccount);
  }

  /** Verified at once when it is of whom the identity check names. Throws `too_many_accounts`. */
  add(by: Writer, { bank_code, number, holder }: NewBankAccount): Promise<BankAccount> {
    return this.database.tx(async (tx) => {
      await lockStore(tx, by.storeId);
      if ((await accountRows(tx, by.storeId)).length >= MOST_ACCOUNTS) throw accountRefusals.tooMany();
      const verified = isSameName(holder, await approvedNameOf(tx, by.storeId));
      const id = uuidv7();
      const sealed = this.box.seal(number, numberPurpose(by.storeId, id));
      const since = verified ? [by.at, usableFrom(by.at)] : [null, null];
      const values = [by.storeId, id, bank_code, sealed, number.slice(-4), holder, ...since, by.at];
      const [row] = (await tx.query<AccountRow>(INSERT, values)) as [AccountRow];
      const account = shownAccount(row);
      await told(tx, by, id, undefined, account);
      return account;
    });
  }

  /** One that can be used at once, of a new store that is to be tried out. */
  async seed(tx: Sql, { storeId, at }: By, id: string, { bank_code, number, holder }: NewBankAccount): Promise<void> {
    const sealed = this.box.seal(number, numberPurpose(storeId, id));
    await tx.query(INSERT, [storeId, id, bank_code, sealed, number.slice(-4), holder, at, at, at]);
  }

  /** Throws `NotFound`. */
  makePrimary(by: Writer, id: string): Promise<BankAccount> {
    return this.database.tx(async (tx) => {
      await lockStore(tx, by.storeId);
      const before = shownAccount(await accountById(tx, by.storeId, id, 'FOR UPDATE'));
      await this.primary(tx, by, id);
      const after = { ...before, is_primary: true };
      await told(tx, by, id, before, after);
      return after;
    });
  }

  /** Of the accounts that are left the oldest is the primary then. Throws `NotFound`, `in_use`. */
  remove(by: Writer, id: string): Promise<void> {
    return this.database.tx(async (tx) => {
      await lockStore(tx, by.storeId);
      // Whoever withdraws to it holds it until the withdrawal is there
      const account = shownAccount(await accountById(tx, by.storeId, id, 'FOR UPDATE'));
      if ((await tx.query(IN_USE, [by.storeId, id])).length > 0) throw accountRefusals.inUse();
      await tx.query('DELETE FROM bank_account WHERE store_id = $1 AND id = $2', [by.storeId, id]);
      const [oldest] = await accountRows(tx, by.storeId);
      if (account.is_primary && oldest) await this.primary(tx, by, oldest.id);
      await told(tx, by, id, account);
    });
  }

  /** One statement for each half: two rows are never primary at once. */
  private async primary(tx: Sql, { storeId, at }: Writer, id: string): Promise<void> {
    const rest = `UPDATE bank_account SET is_primary = false, updated_at = $3 WHERE store_id = $1 AND is_primary AND id <> $2`;
    await tx.query(rest, [storeId, id, at]);
    const one = 'UPDATE bank_account SET is_primary = true, updated_at = $3 WHERE store_id = $1 AND id = $2';
    await tx.query(one, [storeId, id, at]);
  }
}
