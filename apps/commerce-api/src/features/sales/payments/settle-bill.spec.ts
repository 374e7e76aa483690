import { uuidv7 } from '@platform/runtime';
import { newStore, NOW, useCommerce } from '../../../commerce.fixture';
import type { Settled } from '../../../paid-fact';
import {
  invoiceById,
  openInvoice,
  payInvoiceFromWallet,
  type Invoice,
  type InvoiceKind,
} from '../../billing/invoices/public';
import { balancesOf } from '../../ledger/postings/public';
import { settlePayment } from './settle';

const commerce = useCommerce();
const at = new Date(NOW);
const byOf = (storeId: string) => ({ storeId, actor: 'provider:b', at });

/** A bill of 50,000 and an attempt to pay it. */
const billed = async (kind: InvoiceKind, storeId?: string) => {
  const store = storeId ?? (await newStore(commerce));
  const lines = [{ text: 'Saldo', qty: 1, amount: 50_000 }];
  const bill = await commerce.database.tx((tx) =>
    openInvoice(tx, byOf(store), { kind, ref: uuidv7(), lines, currency: 'IDR', dueAt: null }),
  );
  return { storeId: store, bill, id: await attemptOf(store, bill, 1) };
};
const attemptOf = async (storeId: string, bill: Invoice, attempt: number): Promise<string> => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO payment (store_id, id, invoice_id, attempt, request_id, provider, invoice_number, amount, currency, status, mode, created_at,
       updated_at) VALUES ($1, $2, $3, $4, $2, 'b', $5, 50000, 'IDR', 'pending', 'platform', $6, $6)`,
    [storeId, id, bill.id, attempt, `${bill.number}-${attempt}`, NOW],
  );
  return id;
};
const settle = (storeId: string, id: string, more: object = {}): Promise<Settled> =>
  commerce.database.tx((tx) =>
    settlePayment(tx, byOf(storeId), id, { amount: 50_000, currency: 'IDR', paidAt: at, fee: 500, ...more }),
  );
const balances = async (storeId: string) => {
  const all = await balancesOf(commerce.database, storeId, 'IDR');
  return Object.fromEntries(Object.entries(all).filter(([, balance]) => balance !== 0));
};
const stateOf = async (storeId: string, { id }: Invoice) => {
  const { status, paid_at } = await invoiceById(commerce.database, storeId, id);
  return { status, paid_at };
};

it('a top-up that is paid is in the wallet at once', async () => {
  const { storeId, bill, id } = await billed('topup');
  expect(await settle(storeId, id)).toBe('paid');
  expect(await balances(storeId)).toEqual({ gateway_clearing: 49_500, fee_expense: 500, wallet_available: 50_000 });
  expect(await stateOf(storeId, bill)).toEqual({ status: 'paid', paid_at: NOW });
});

it('a plan that is paid is the revenue of the platform, once, however often it is told', async () => {
  const { storeId, id } = await billed('subscription');
  const all = await Promise.all(Array.from({ length: 20 }, () => settle(storeId, id)));
  expect(all.filter((each) => each !== 'already')).toEqual(['paid']);
  expect(await balances(storeId)).toEqual({ gateway_clearing: 49_500, fee_expense: 500, subscription_revenue: 50_000 });
  const events = await commerce.database.query('SELECT type FROM payment_event WHERE payment_id = $1', [id]);
  expect(events).toEqual([{ type: 'paid' }]);
});

it('another amount than was asked for pays nothing, and is put aside', async () => {
  const { storeId, bill, id } = await billed('subscription');
  expect(await settle(storeId, id, { amount: 49_999 })).toBe('review');
  expect([await balances(storeId), await stateOf(storeId, bill)]).toEqual([{}, { status: 'open', paid_at: null }]);
});

it('a plan that is paid twice leaves the second money in the wallet, to be looked at', async () => {
  const { storeId, bill, id } = await billed('subscription');
  const second = await attemptOf(storeId, bill, 2);
  expect([await settle(storeId, id), await settle(storeId, second)]).toEqual(['paid', 'review']);
  expect(await balances(storeId)).toMatchObject({ subscription_revenue: 50_000, wallet_available: 50_000 });
  const [payment] = await commerce.database.query('SELECT status, review_reason FROM payment WHERE id = $1', [second]);
  expect(payment).toEqual({ status: 'paid', review_reason: 'overpaid' });
});

it('money for a bill that is void is in the wallet', async () => {
  const { storeId, bill, id } = await billed('addon');
  await commerce.database.query(`UPDATE invoice SET status = 'void' WHERE store_id = $1`, [storeId]);
  expect(await settle(storeId, id)).toBe('review');
  expect(await balances(storeId)).toMatchObject({ wallet_available: 50_000 });
  expect(await stateOf(storeId, bill)).toEqual({ status: 'void', paid_at: null });
});

it('a bill is paid with money of the wallet, once', async () => {
  const { storeId, id } = await billed('topup');
  await settle(storeId, id);
  const { bill } = await billed('subscription', storeId);
  const pay = () => commerce.database.tx((tx) => payInvoiceFromWallet(tx, byOf(storeId), bill.id));
  const paid = await Promise.all([pay(), pay(), pay()]);
  expect(paid.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  expect(await balances(storeId)).toMatchObject({ subscription_revenue: 50_000 });
  expect((await balances(storeId)).wallet_available).toBeUndefined();
});

it('a bill that the wallet cannot bear stays open', async () => {
  const { storeId, bill } = await billed('subscription');
  const pay = commerce.database.tx((tx) => payInvoiceFromWallet(tx, byOf(storeId), bill.id));
  await expect(pay).rejects.toMatchObject({ code: 'insufficient_balance' });
  expect(await stateOf(storeId, bill)).toEqual({ status: 'open', paid_at: null });
});

it('one thing is billed once, also when ten ask at once', async () => {
  const storeId = await newStore(commerce);
  const wanted = { kind: 'subscription', ref: 'renew:1', lines: [{ text: 'Plan', qty: 1, amount: 1 }] } as const;
  const open = () =>
    commerce.database.tx((tx) => openInvoice(tx, byOf(storeId), { ...wanted, currency: 'IDR', dueAt: at }));
  const bills = await Promise.all(Array.from({ length: 10 }, open));
  expect(new Set(bills.map(({ id }) => id)).size).toBe(1);
  expect(bills[0]).toEqual({
    ...{ id: expect.any(String), number: expect.stringMatching(/^BIL-260301-[0-9A-Z]{6}$/), kind: 'subscription' },
    ...{ lines: wanted.lines, amount: 1, currency: 'IDR', status: 'open', due_at: NOW, paid_at: null, url: null },
    created_at: NOW,
  });
});
