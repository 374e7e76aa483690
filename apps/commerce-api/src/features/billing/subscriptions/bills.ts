import { listingOf, type Database, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import {
  INVOICE,
  invoiceById,
  payInvoiceFromWallet,
  readInvoice,
  type Invoice,
  type StoredInvoice,
} from '../invoices/public';
import type { BillPayments } from '../tills/public';
import { lockBilling } from './effects';
import { subscriptionRefusals } from './subscription.rules';
import { BillsQuery } from './subscriptions.dto';

/** Bills of plans and add-ons; what a store pays into its wallet is none. */
export const billListing = listingOf(BillsQuery, {
  from: 'invoice i',
  tenant: 'i.store_id',
  select: INVOICE,
  only: () => `i.kind <> 'topup'`,
  sort: { created_at: 'i.created_at' },
  usualSort: '-created_at',
  tie: 'i.id',
  where: { status: 'i.status = ?' },
  read: (row: StoredInvoice): Invoice => readInvoice(row),
});

/** Throws `NotFound`, also for a bill of another store and for a top-up. */
export const billById = async (sql: Sql, storeId: string, id: string): Promise<Invoice> => {
  const invoice = await invoiceById(sql, storeId, id);
  if (invoice.kind === 'topup') throw new NotFound('Invoice not found');
  return invoice;
};

const isLate = ({ status, due_at }: Invoice, at: Date): boolean =>
  status === 'open' && due_at !== null && new Date(due_at) <= at;

/** A bill that can be paid, or is paid, of a store that is locked for what concerns its plan. */
const payable = async (tx: Sql, by: By, id: string): Promise<Invoice> => {
  await lockBilling(tx, by);
  const bill = await billById(tx, by.storeId, id);
  if (isLate(bill, by.at)) throw subscriptionRefusals.tooLate();
  return bill;
};

/**
 * Pays a bill with money of the wallet, and gives what it buys, which a job would do as well. One that is paid already
 * stays as it is. Throws `NotFound`, `insufficient_balance`, `invoice_expired`, and `invalid_transition` for a bill that is not open.
 */
export const payByWallet = async (database: Database, by: By, id: string): Promise<Invoice> => {
  const paid = await database.tx(async (tx) => {
    await payable(tx, by, id);
    return payInvoiceFromWallet(tx, by, id);
  });
  // Of its own, so that nobody holds the wallet and waits for the counters of the plan
  await database.tx((tx) => lockBilling(tx, by));
  return paid;
};

/**
 * The bill with the address where it can be paid, null while the provider does not answer. Throws `NotFound`, `invoice_expired`,
 * `invalid_transition` for a bill that is not open, and what keeps the provider from being used.
 */
export const payByProvider = async (
  database: Database,
  payments: BillPayments,
  by: By,
  id: string,
): Promise<Invoice> => {
  await database.tx(async (tx) => {
    const bill = await payable(tx, by, id);
    if (bill.status !== 'open') throw invalidTransition(bill.status);
    await payments.open(tx, by, bill);
  });
  await payments.ask(by.storeId, id);
  return billById(database, by.storeId, id);
};
