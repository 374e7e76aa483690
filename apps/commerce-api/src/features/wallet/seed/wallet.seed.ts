import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { openInvoice } from '../../billing/invoices/public';
import { settlePayment } from '../../sales/payments/public';
import type { AccountsService } from '../accounts/public';
import { seedWithdrawal } from '../withdrawals/public';

const DAY_MS = 86_400_000;
const TOPUP = 750_000;
const WITHDRAWN = 200_000;
const ACCOUNT = { bank_code: 'BCA', number: '5210001234', holder: 'Sari Nusa' } as const;

const ATTEMPT = `
  INSERT INTO payment (store_id, id, invoice_id, attempt, request_id, provider, invoice_number, amount, currency, status, mode,
    created_at, updated_at)
  VALUES ($1, $2, $3, 1, $2, 'b', $4, $5, $6, 'pending', 'platform', $7, $7)`;

const topUp = async (tx: Sql, by: By, currency: string): Promise<void> => {
  const lines = [{ text: 'Top-up', qty: 1, amount: TOPUP }];
  const invoice = await openInvoice(tx, by, { kind: 'topup', ref: 'demo', lines, currency, dueAt: null });
  const id = uuidv7();
  await tx.query(ATTEMPT, [by.storeId, id, invoice.id, `${invoice.number}-1`, TOPUP, currency, by.at]);
  await settlePayment(tx, by, id, { amount: TOPUP, currency, paidAt: by.at, channel: 'QRIS' });
};

/** Fills the wallet of the demo shop, in the transaction of its seed. */
export type SeedWallet = (tx: Sql, by: By, accountId: string, currency: string) => Promise<void>;

/**
 * Something was paid in ten days ago and some of it withdrawn five days later, to an account that can be used at once. There is no PIN:
 * whoever tries the shop out sets one.
 */
export const seedingWallet =
  (accounts: Pick<AccountsService, 'seed'>, box: SecretBox): SeedWallet =>
  async (tx, by, accountId, currency) => {
    const before = (days: number): By => ({ ...by, at: new Date(by.at.getTime() - days * DAY_MS) });
    await accounts.seed(tx, by, accountId, ACCOUNT);
    await topUp(tx, before(10), currency);
    await seedWithdrawal(tx, before(5), { box, account: { id: accountId, ...ACCOUNT }, amount: WITHDRAWN, currency });
  };
