import type { Database, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { By } from '../../../by';
import { lockInvoice, openInvoice } from '../../billing/invoices/public';
import type { BillPayments } from '../../billing/tills/public';
import { ownKey } from '../own-key';
import { topupRefusals } from './topup.rules';
import type { NewTopup, Topup } from './topups.dto';

const TOPUP = `
  SELECT i.id, i.amount::float8 AS amount, i.status, p.id AS payment_id, p.expires_at,
    CASE WHEN i.status = 'open' AND p.status = 'pending' THEN p.url END AS url
  FROM invoice i JOIN LATERAL (
    SELECT id, url, status, expires_at FROM payment WHERE store_id = i.store_id AND invoice_id = i.id ORDER BY attempt DESC LIMIT 1
  ) p ON true
  WHERE i.store_id = $1 AND i.id = $2 AND i.kind = 'topup'`;

type Row = Omit<Topup, 'expires_at'> & { readonly expires_at: Date | null };

/** Throws `NotFound`, also for one of another store. */
export const topupById = async (sql: Sql, storeId: string, id: string): Promise<Topup> => {
  const [row] = await sql.query<Row>(TOPUP, [storeId, id]);
  if (!row) throw new NotFound('Top-up not found');
  return { ...row, expires_at: row.expires_at?.toISOString() ?? null };
};

/** Money into the wallet: a bill of its own, which is credited by the door through which every payment is settled. */
export class TopupsService {
  constructor(
    private readonly database: Database,
    private readonly payments: BillPayments,
  ) {}

  /** Opens the bill and its payment; the same `key` again is the same bill, however much later. Throws `idempotency_mismatch`. */
  async open(tx: Sql, by: By, { amount }: NewTopup, key: string): Promise<Topup> {
    const [{ currency }] = (await tx.query('SELECT currency FROM store WHERE store_id = $1', [by.storeId])) as [
      { currency: string },
    ];
    const lines = [{ text: 'Top-up', qty: 1, amount }];
    const invoice = await openInvoice(tx, by, { kind: 'topup', ref: ownKey(by, key), lines, currency, dueAt: null });
    if (invoice.amount !== amount) throw topupRefusals.keyUsed();
    // Of twenty with one key the first opens it, and the others find it
    const { status } = await lockInvoice(tx, by.storeId, invoice.id);
    if (status === 'open') await this.payments.open(tx, by, invoice);
    return topupById(tx, by.storeId, invoice.id);
  }

  /** With the address where it is paid, if its provider has answered by then. */
  async asked(storeId: string, { id, url }: Topup): Promise<Topup> {
    if (url === null) await this.payments.ask(storeId, id);
    return topupById(this.database, storeId, id);
  }
}
