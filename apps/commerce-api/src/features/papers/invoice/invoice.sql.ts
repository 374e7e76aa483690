import { bigintNumber, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { accountsOf } from '../../paying/accounts/public';
import { PAID_OF_ORDER } from '../../sales/payments/public';
import { inForce } from '../../shop/settings/public';
import type { OrderInvoice } from './invoice.dto';

const INVOICE = `
  SELECT o.number, o.receipt_no, o.currency, o.status, o.payment_status, o.payment_method, o.placed_at, o.paid_at, o.buyer, o.address,
    o.subtotal, o.discount, o.coupon, o.shipping_total, o.fee, o.tax_total, o.tax, o.total,
    ${PAID_OF_ORDER} AS paid_total,
    s.name AS store_name, s.phone AS store_phone, s.address AS store_address, s.timezone,
    (SELECT g.value FROM setting g WHERE g.store_id = $1 AND g.name = 'general') AS general,
    (SELECT g.value FROM setting g WHERE g.store_id = $1 AND g.name = 'invoice') AS invoice,
    (SELECT json_agg(json_build_object('name', i.name, 'sku', i.sku, 'price', i.price, 'qty', i.qty,
        'discount_share', i.discount_share, 'tax', i.tax, 'total', i.total) ORDER BY i.position)
      FROM order_item i WHERE i.store_id = $1 AND i.order_id = o.id) AS lines
  FROM sales_order o JOIN store s ON s.store_id = o.store_id WHERE o.store_id = $1 AND o.id = $2`;

const AMOUNTS = ['subtotal', 'discount', 'shipping_total', 'fee', 'tax_total', 'total', 'paid_total'] as const;
type Amounts = Record<(typeof AMOUNTS)[number], number>;

interface Row extends Omit<OrderInvoice, 'placed_at' | 'paid_at' | 'store' | 'due' | 'accounts' | 'locale'> {
  readonly placed_at: Date;
  readonly paid_at: Date | null;
  readonly store_name: string;
  readonly store_phone: string | null;
  readonly store_address: OrderInvoice['store']['address'];
  readonly general: object | null;
  readonly invoice: object | null;
}

/** What will never be paid any more. */
const OVER = ['cancelled', 'refunded', 'partially_refunded'];

const read = (row: Row): Omit<OrderInvoice, 'accounts'> => {
  const { store_name, store_phone, store_address, general, invoice, placed_at, paid_at, ...rest } = row;
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, bigintNumber.from(row[name])])) as Amounts;
  const { locale } = inForce('general', { ...general }) as { locale: OrderInvoice['locale'] };
  const { tax } = inForce('invoice', { ...invoice }) as { tax: { npwp: string } };
  const isOver = OVER.includes(row.status) || OVER.includes(row.payment_status);
  return {
    ...{ ...rest, ...amounts, locale },
    ...{ placed_at: placed_at.toISOString(), paid_at: paid_at?.toISOString() ?? null },
    store: { name: store_name, phone: store_phone, address: store_address, npwp: tax.npwp || null },
    due: isOver ? 0 : Math.max(0, amounts.total - amounts.paid_total),
  };
};

/** What is printed of an order. Throws `NotFound`, also for an order of another store. */
export const invoiceOf = async (sql: Sql, storeId: string, orderId: string): Promise<OrderInvoice> => {
  const [row] = await sql.prepared<Row>('order invoice', INVOICE, [storeId, orderId]);
  if (!row) throw new NotFound('Order not found');
  const invoice = read(row);
  const byTransfer = invoice.due > 0 && invoice.payment_method === 'transfer';
  const accounts = byTransfer ? await accountsOf(sql, storeId) : [];
  return { ...invoice, accounts: accounts.filter(({ active }) => active) };
};
