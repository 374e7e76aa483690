import { bigintNumber, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { traced, uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import { newNumber } from '../../../new-number';
import { post } from '../../ledger/postings/public';
import type { Invoice, InvoiceKind, InvoiceLine } from './invoices.dto';
import { BY_ID, BY_REF, LOCK, LOCK_UNPAID, OPEN, PAY } from './invoices.sql';

/** A bill that is to be opened. Amounts in the settlement unit of its currency; together they are not below 0. */
export interface NewInvoice {
  readonly kind: InvoiceKind;
  /** What it is for: under one `ref` a kind is billed once. */
  readonly ref: string;
  readonly lines: readonly InvoiceLine[];
  readonly currency: string;
  readonly dueAt: Date | null;
}

type Instants = 'due_at' | 'paid_at' | 'created_at';
/** A bill as PostgreSQL returns it. */
export type StoredInvoice = Omit<Invoice, Instants | 'amount'> & {
  readonly amount: string;
  readonly due_at: Date | null;
  readonly paid_at: Date | null;
  readonly created_at: Date;
};

export const readInvoice = (row: StoredInvoice): Invoice => ({
  ...row,
  amount: bigintNumber.from(row.amount),
  due_at: row.due_at?.toISOString() ?? null,
  paid_at: row.paid_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** `YYMMDD` of the moment, in UTC as the platform counts. */
const dayOf = (at: Date): string => at.toISOString().slice(2, 10).replaceAll('-', '');

/** Opens a bill, or returns the one that there is for this `ref`. A bill of 0 is paid with `payInvoice` by whoever opened it. */
export const openInvoice = async (tx: Sql, by: By, wanted: NewInvoice): Promise<Invoice> => {
  const { kind, ref, lines, currency, dueAt } = wanted;
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  for (;;) {
    const [known] = await tx.query<StoredInvoice>(BY_REF, [by.storeId, kind, ref]);
    if (known) return readInvoice(known);
    const number = newNumber('BIL', dayOf(by.at));
    const terms = [kind, ref, JSON.stringify(lines), amount, currency, dueAt, by.at];
    const [opened] = await tx.query<StoredInvoice>(OPEN, [by.storeId, uuidv7(), number, ...terms]);
    if (opened) return readInvoice(opened);
  }
};

const found = (rows: readonly StoredInvoice[]): Invoice => {
  const [row] = rows;
  if (row) return readInvoice(row);
  throw new NotFound('Invoice not found');
};

/** Throws `NotFound`, also for a bill of another store. */
export const invoiceById = async (sql: Sql, storeId: string, id: string): Promise<Invoice> =>
  found(await sql.query<StoredInvoice>(BY_ID, [storeId, id]));

/** The same, locked until the transaction ends. */
export const lockInvoice = async (tx: Sql, storeId: string, id: string): Promise<Invoice> =>
  found(await tx.query<StoredInvoice>(LOCK, [storeId, id]));

/** Locks all bills of a store for which money may come yet, for whoever posts to the ledger before it writes one of them. */
export const lockUnpaidInvoices = async (tx: Sql, storeId: string): Promise<void> => {
  await tx.query(LOCK_UNPAID, [storeId]);
};

/** Makes a bill paid whose row the caller has locked, and enqueues `invoice.paid`; the money is the caller's to post. */
export const payInvoice = async (tx: Sql, { storeId, actor, at }: By, invoiceId: string): Promise<void> => {
  const payload = traced({ storeId, invoiceId, eventId: uuidv7(), at: at.toISOString(), actor });
  await tx.query(PAY, [storeId, invoiceId, at, JSON.stringify(payload)]);
};

/**
 * Pays an open bill with money of the wallet, in the caller's transaction. One that is paid stays as it is. Throws `NotFound`,
 * `insufficient_balance`, and `invalid_transition` for a bill that is not open.
 */
export const payInvoiceFromWallet = async (tx: Sql, by: By, id: string): Promise<Invoice> => {
  const invoice = await lockInvoice(tx, by.storeId, id);
  if (invoice.status === 'paid') return invoice;
  if (invoice.status !== 'open' || invoice.kind === 'topup') throw invalidTransition(invoice.status);
  const { amount, currency } = invoice;
  await post(tx, by, {
    ...{ key: `invoice_wallet:${id}`, kind: 'subscription', ref: id, currency },
    entries: [
      { account: 'wallet_available', side: 'D', amount },
      { account: 'subscription_revenue', side: 'C', amount },
    ],
  });
  await payInvoice(tx, by, id);
  return invoiceById(tx, by.storeId, id);
};
