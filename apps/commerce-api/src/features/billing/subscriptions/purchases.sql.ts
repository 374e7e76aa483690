import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { openInvoice, type Invoice } from '../invoices/public';
import { withdrawBills } from '../tills/public';
import type { Bill, Live, Terms } from './subscription.rules';

export type PurchaseKind = 'start' | 'upgrade' | 'renewal' | 'addon';

/** What is to be bought by a bill. */
export interface NewPurchase {
  readonly subscriptionId: string;
  readonly kind: PurchaseKind;
  /** Under which it is billed once. */
  readonly ref: string;
  readonly bill: Bill;
  /** Of what is bought; null: it begins when it is paid. */
  readonly time: { readonly from: Date; readonly until: Date } | null;
  readonly dueAt: Date;
}

/** What a bill buys. */
export interface Purchase {
  readonly invoice_id: string;
  readonly subscription_id: string;
  readonly kind: PurchaseKind;
  readonly state: 'open' | 'ahead' | 'done' | 'credited' | 'void';
  readonly terms: Terms;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
}

const COLUMNS = 'p.invoice_id, p.subscription_id, p.kind, p.state, p.terms, p.starts_at, p.ends_at';

const INSERT = `
  INSERT INTO subscription_purchase (store_id, invoice_id, subscription_id, kind, state, terms, starts_at, ends_at, due_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, 'open', $5, $6, $7, $8, $9, $9)`;

/** Opens a bill with what it buys. */
export const openPurchase = async (tx: Sql, by: By, purchase: NewPurchase): Promise<Invoice> => {
  const { subscriptionId, kind, ref, bill, time, dueAt } = purchase;
  const { lines, currency, terms } = bill;
  const invoiceKind = kind === 'addon' ? 'addon' : 'subscription';
  const invoice = await openInvoice(tx, by, { kind: invoiceKind, ref, lines, currency, dueAt });
  const times = [time?.from ?? null, time?.until ?? null, dueAt, by.at];
  await tx.query(INSERT, [by.storeId, invoice.id, subscriptionId, kind, JSON.stringify(terms), ...times]);
  return invoice;
};

const VOID = `
  WITH purchase AS (
    UPDATE subscription_purchase SET state = 'void', updated_at = $3
    WHERE store_id = $1 AND state = 'open' AND kind = ANY ($2) RETURNING store_id, invoice_id
  )
  UPDATE invoice i SET status = 'void', updated_at = $3 FROM purchase p
  WHERE i.store_id = p.store_id AND i.id = p.invoice_id AND i.status = 'open' RETURNING i.id`;

/**
 * Takes back the open bills of a locked store whose sums are right no longer. Money that somebody is paying for one of them at this moment goes to the
 * wallet.
 */
export const voidOpen = async (tx: Sql, by: By, kinds: readonly PurchaseKind[]): Promise<void> => {
  const voided = await tx.query(VOID, [by.storeId, kinds, by.at]);
  if (voided.length > 0) await withdrawBills(tx, by);
};

const MARK = `UPDATE subscription_purchase SET state = $3, updated_at = $4 WHERE store_id = $1 AND invoice_id = $2`;

export const markPurchase = async (
  tx: Sql,
  { storeId, at }: By,
  invoiceId: string,
  state: Purchase['state'],
): Promise<void> => {
  await tx.query(MARK, [storeId, invoiceId, state, at]);
};

/** Paid bills that have brought nothing yet, the oldest first; those that were taken back last, as they bring money to the wallet. */
const PAID = `
  SELECT ${COLUMNS}, i.paid_at, i.amount, i.currency
  FROM subscription_purchase p JOIN invoice i ON i.store_id = p.store_id AND i.id = p.invoice_id
  WHERE p.store_id = $1 AND p.state IN ('open', 'void') AND i.status = 'paid' ORDER BY p.state, i.paid_at, i.id`;

export interface PaidPurchase extends Purchase {
  readonly paid_at: Date;
  readonly amount: string;
  readonly currency: string;
}

export const paidPurchases = (tx: Sql, storeId: string): Promise<PaidPurchase[]> =>
  tx.query<PaidPurchase>(PAID, [storeId]);

/** The bill of the period that follows, open or paid ahead. */
export const renewalOf = async (tx: Sql, storeId: string, { id }: Pick<Live, 'id'>): Promise<Purchase | undefined> => {
  const [row] = await tx.query<Purchase>(
    `SELECT ${COLUMNS} FROM subscription_purchase p
     WHERE p.store_id = $1 AND p.subscription_id = $2 AND p.kind = 'renewal' AND p.state IN ('open', 'ahead')`,
    [storeId, id],
  );
  return row;
};

/** What was paid for the period after the current one. */
export const paidAhead = ({ terms }: Purchase): number =>
  terms.price + terms.items.reduce((sum, { price }) => sum + price, 0);

/** Whether a store has had what a voucher gives. */
export const hasUsed = async (sql: Sql, storeId: string, voucher: string): Promise<boolean> => {
  const used = `SELECT 1 FROM subscription_purchase p WHERE p.store_id = $1 AND p.kind = 'start' AND p.state = 'done'
    AND p.terms ->> 'voucher' = $2 LIMIT 1`;
  return (await sql.query(used, [storeId, voucher])).length > 0;
};

/** What nobody has paid in time, of all stores; what was paid, and has brought nothing yet, was paid in time. */
export const EXPIRE = `
  WITH late AS (
    SELECT p.store_id, p.invoice_id
    FROM subscription_purchase p JOIN invoice i ON i.store_id = p.store_id AND i.id = p.invoice_id AND i.status = 'open'
    WHERE p.state = 'open' AND p.kind <> 'renewal' AND p.due_at <= $1 ORDER BY p.due_at LIMIT 500 FOR UPDATE SKIP LOCKED
  ), purchase AS (
    UPDATE subscription_purchase p SET state = 'void', updated_at = $1 FROM late
    WHERE p.store_id = late.store_id AND p.invoice_id = late.invoice_id RETURNING p.store_id, p.invoice_id
  )
  UPDATE invoice i SET status = 'expired', updated_at = $1 FROM purchase p
  WHERE i.store_id = p.store_id AND i.id = p.invoice_id AND i.status = 'open'`;
