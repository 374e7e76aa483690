import { bigintNumber, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { PaidFact, Settled } from '../../../paid-fact';
import { payInvoice, type InvoiceKind, type InvoiceState } from '../../billing/invoices/public';
import { arrived, post, type PostingKind } from '../../ledger/postings/public';
import type { AttemptState, PaymentProvider } from './payments.dto';
import { LOCK_BILL, PAID_BILL, REVIEW_AMOUNT } from './settle.sql';

/** What an attempt asks for. */
interface Asked {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}

/** Puts a locked payment aside, to be looked at, when another amount or currency came than was asked for; false when it is the right one. */
export const isPutAside = async (tx: Sql, by: By, asked: Asked, fact: PaidFact): Promise<boolean> => {
  if (fact.amount === asked.amount && fact.currency === asked.currency) return false;
  const text = `${fact.amount} ${fact.currency} came, asked for were ${asked.amount} ${asked.currency}`;
  await tx.query(REVIEW_AMOUNT, [by.storeId, asked.id, uuidv7(), by.at, text, by.actor]);
  return true;
};

interface LockedBill {
  readonly invoice_id: string;
  readonly kind: InvoiceKind;
  readonly status: InvoiceState;
  readonly id: string;
  readonly attempt_status: AttemptState;
  readonly provider: PaymentProvider;
  readonly amount: string;
  readonly asked_currency: string;
}

/** What the money of a bill is for: of one that is paid, void or too old it is the store's own, as that of a top-up is. */
const purposeOf = ({ kind, status }: LockedBill): { readonly kind: PostingKind; readonly unwanted: string | null } => {
  if (kind === 'topup') return { kind: 'topup', unwanted: null };
  if (status === 'open') return { kind: 'subscription', unwanted: null };
  return { kind: 'topup', unwanted: status === 'paid' ? 'overpaid' : 'late' };
};

/** Under which a paid bill is posted. */
export const invoicePaidKey = (paymentId: string): string => `invoice_paid:${paymentId}`;

/**
 * The part of the door to paid for bills of the platform: a top-up's money is in the wallet when the transaction commits, a plan's is the
 * platform's, and what comes for a bill that wants none any more is in the wallet too, and to be looked at. Throws `NotFound`.
 */
export const settleBill = async (tx: Sql, by: By, paymentId: string, fact: PaidFact): Promise<Settled> => {
  const [bill] = await tx.query<LockedBill>(LOCK_BILL, [by.storeId, paymentId]);
  if (!bill) throw new NotFound('Payment not found');
  if (bill.attempt_status === 'paid') return 'already';
  const { id, asked_currency: currency } = bill;
  const amount = bigintNumber.from(bill.amount);
  if (await isPutAside(tx, by, { id, amount, currency }, fact)) return 'review';
  const { kind, unwanted } = purposeOf(bill);
  const account = kind === 'topup' ? 'wallet_available' : 'subscription_revenue';
  const entries = [...arrived(amount, fact.fee), { account, side: 'C', amount } as const];
  await post(tx, by, { key: invoicePaidKey(id), kind, ref: id, currency, entries });
  const { paidAt, providerRef = null, channel = null, fee = null, note } = fact;
  const text = [`${amount} ${currency} by ${bill.provider}`, ...(note ? [note] : [])].join(': ');
  const told = [providerRef, channel, fee, unwanted, uuidv7(), text, by.actor];
  await tx.query(PAID_BILL, [by.storeId, id, by.at, paidAt, ...told]);
  if (unwanted !== null) return 'review';
  await payInvoice(tx, by, bill.invoice_id);
  return 'paid';
};
