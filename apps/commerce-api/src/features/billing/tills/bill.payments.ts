import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import type { Tills } from '../../sales/orders/public';
import { endAttempts, openAttempt } from '../../sales/payments/public';
import { lockInvoice, type Invoice } from '../invoices/public';
import { daysLater } from '../plans/public';

/** How a bill of the platform is paid at a provider. */
export interface BillPayments {
  /** The attempt of an open bill, in the caller's transaction: the live one when there is one. Throws `provider_unavailable`. */
  open(tx: Sql, by: By, invoice: Pick<Invoice, 'id'>): Promise<void>;
  /** After the commit: asks the provider for a while; resolves whatever happens. */
  ask(storeId: string, invoiceId: string): Promise<void>;
}

/** Of one attempt. */
const DAYS_TO_PAY = 1;

const LIVE = `p.store_id = $1 AND p.status IN ('created', 'pending')`;
/** Attempts that can be paid: $1 store, $2 bill, $3 now. */
const PAYABLE = `SELECT p.id FROM payment p WHERE ${LIVE} AND p.invoice_id = $2 AND (p.expires_at IS NULL OR p.expires_at > $3)`;
const UNASKED = `SELECT p.id FROM payment p WHERE p.store_id = $1 AND p.invoice_id = $2 AND p.status = 'created'
  ORDER BY p.attempt DESC LIMIT 1`;
/** Of bills that nobody is to pay any more. */
const WITHDRAWN = `SELECT p.id FROM payment p JOIN invoice i ON i.store_id = p.store_id AND i.id = p.invoice_id
  WHERE ${LIVE} AND i.status = 'void' FOR UPDATE OF p`;

/** Payments of bills at provider B: a bill has one attempt at a time, whoever asks for it. */
export const billPayments = (sql: Sql, { gateways, ask }: Tills): BillPayments => ({
  open: async (tx, by, { id }) => {
    const { storeId, at } = by;
    const { number, amount, currency, due_at } = await lockInvoice(tx, storeId, id);
    if ((await tx.query(PAYABLE, [storeId, id, at])).length > 0) return;
    const soon = daysLater(at, DAYS_TO_PAY);
    const due = due_at === null ? soon : new Date(due_at);
    const expiresAt = due < soon ? due : soon;
    const of = { invoiceId: id, number };
    await openAttempt(tx, by, gateways, { of, provider: 'b', amount, currency, expiresAt, door: 'staff' });
  },
  ask: async (storeId, invoiceId) => {
    const [unasked] = await sql.query<{ id: string }>(UNASKED, [storeId, invoiceId]);
    if (unasked) await ask(storeId, unasked.id);
  },
});

/** The provider is told that the void bills of a store are not to be paid; money that comes all the same goes to the wallet. */
export const withdrawBills = async (tx: Sql, by: By): Promise<void> => {
  const live = await tx.query<{ id: string }>(WITHDRAWN, [by.storeId]);
  if (live.length === 0) return;
  const ids = live.map(({ id }) => id);
  await endAttempts(tx, by, ids, { status: 'cancelled', text: 'The bill is void', pollAt: by.at });
};
