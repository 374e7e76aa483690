import type { Findings } from '../verdict';
import type { Bought } from './buyers';
import { codes, type Code } from './plan';
import { PIECES, STORE, type Counter } from './stack';

interface PaidRow {
  readonly number: string;
  readonly invoice_number: string;
  readonly provider: Code;
  readonly amount: number;
  readonly posted: number;
}

/** Every paid payment with what the ledger says of it: $1 store, $2 of orders since when. */
const PAID = `
  SELECT o.number, p.invoice_number, p.provider, p.amount::float8 AS amount, coalesce(sum(e.amount) FILTER (WHERE e.side = 'D'), 0)::float8 AS posted
  FROM commerce_api.payment p JOIN commerce_api.sales_order o ON o.store_id = p.store_id AND o.id = p.order_id
    LEFT JOIN commerce_api.ledger_txn t ON t.store_id = p.store_id AND t.idempotency_key = 'order_paid:' || p.id
    LEFT JOIN commerce_api.ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id
  WHERE p.store_id = $1 AND p.status = 'paid' AND o.created_at >= $2 GROUP BY o.number, p.id, p.store_id, p.invoice_number, p.provider, p.amount`;

const UNBALANCED = `
  SELECT count(*)::int AS n FROM (SELECT FROM commerce_api.ledger_entry GROUP BY store_id, txn_id
    HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0) wrong`;

/** Levels of the goods of a run, with their movements and the pieces in its orders, by what became of them. */
const STOCK = `
  SELECT v.sku, l.on_hand::int AS on_hand, l.reserved::int AS reserved,
    (SELECT coalesce(sum(m.delta_on_hand), 0)::int FROM commerce_api.stock_movement m WHERE m.store_id = l.store_id AND m.variant_id = l.variant_id) AS moved,
    coalesce(s.sold, 0)::int AS sold, coalesce(s.waiting, 0)::int AS waiting
  FROM commerce_api.stock_level l JOIN commerce_api.variant v ON v.store_id = l.store_id AND v.id = l.variant_id
    LEFT JOIN LATERAL (
      SELECT sum(i.qty) FILTER (WHERE o.payment_status = 'paid') AS sold,
        sum(i.qty) FILTER (WHERE o.payment_status <> 'paid' AND o.status = 'open') AS waiting
      FROM commerce_api.order_item i JOIN commerce_api.sales_order o ON o.store_id = i.store_id AND o.id = i.order_id
      WHERE i.store_id = l.store_id AND i.variant_id = l.variant_id) s ON true
  WHERE l.store_id = $1 AND v.sku LIKE 'CHAOS-%'`;

const ORDERS = `SELECT number, payment_status, paid_total::float8 AS paid_total, receipt_no FROM commerce_api.sales_order WHERE store_id = $1 AND created_at >= $2`;

interface OrderRow {
  readonly number: string;
  readonly payment_status: string;
  readonly paid_total: number;
  readonly receipt_no: string | null;
}

/** An order as its buyer knows it. */
type Placed = Pick<Bought, 'number' | 'total' | 'paid'>;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** What one provider has taken, against what is paid and posted here. */
const atProvider = (stack: Pick<Counter, 'tills'>, code: Code, paid: readonly PaidRow[]): string[] => {
  const taken = stack.tills[code].till.payments().filter(({ status }) => status === 'paid');
  const ours = paid.filter(({ provider }) => provider === code);
  const known = new Map(ours.map((row) => [row.invoice_number, row]));
  const missing = taken.filter(({ invoice }) => !known.has(invoice));
  const [there, here, posted] = [
    sum(taken.map(({ paidAmount }) => paidAmount ?? 0)),
    sum(ours.map(({ amount }) => amount)),
    sum(ours.map((row) => row.posted)),
  ];
  return [
    ...(missing.length > 0
      ? [`${code}: ${missing.length} payments were taken and are not paid here, the first is ${missing[0]?.invoice}`]
      : []),
    ...(there === here && here === posted
      ? []
      : [`${code}: the provider took ${there}, paid here are ${here}, the ledger says ${posted}`]),
  ];
};

const ordersOf = (bought: readonly Placed[], orders: readonly OrderRow[]): string[] => {
  const known = new Map(orders.map((order) => [order.number, order]));
  const wrong = bought.filter(({ number, total, paid }) => {
    const order = known.get(number);
    return paid ? order?.payment_status !== 'paid' || order.paid_total !== total : order?.paid_total !== 0;
  });
  const receipts = orders.flatMap(({ receipt_no }) => receipt_no ?? []).sort();
  const [first, last] = [receipts[0], receipts.at(-1)].map((receipt) => Number(receipt?.split('-').at(-1) ?? 0));
  const span = receipts.length === 0 ? 0 : (last ?? 0) - (first ?? 0) + 1;
  return [
    ...(orders.length === bought.length ? [] : [`${bought.length} orders were placed, and there are ${orders.length}`]),
    ...wrong
      .slice(0, 3)
      .map(
        ({ number, paid }) =>
          `${number}: ${paid ? 'paid' : 'not paid'} by its buyer, ${JSON.stringify(known.get(number))}`,
      ),
    ...(wrong.length > 3 ? [`${wrong.length} orders in all are not as their buyers left them`] : []),
    ...(receipts.length === span && new Set(receipts).size === span
      ? []
      : [`${receipts.length} receipts, numbered ${first} to ${last}`]),
  ];
};

const EVER = new Date(0);

/** What is wrong after a run: money, ledger, orders since then, receipts and stock against what buyers and providers did. */
export const verdictOf = async (
  stack: Pick<Counter, 'database' | 'tills'>,
  bought: readonly Placed[],
  since = EVER,
): Promise<Findings> => {
  const { database } = stack;
  const paid = await database.query<PaidRow>(PAID, [STORE, since]);
  const twice = paid.filter(({ number }, at) => paid.findIndex((each) => each.number === number) !== at);
  const [unbalanced] = await database.query<{ n: number }>(UNBALANCED);
  const stock = await database.query<
    Record<'on_hand' | 'reserved' | 'moved' | 'sold' | 'waiting', number> & { sku: string }
  >(STOCK, [STORE]);
  const wrongStock = stock.filter(
    ({ on_hand, reserved, moved, sold, waiting }) =>
      on_hand !== moved || on_hand !== PIECES - sold || reserved !== waiting,
  );
  return [
    ...codes.flatMap((code) => atProvider(stack, code, paid)),
    ...ordersOf(bought, await database.query<OrderRow>(ORDERS, [STORE, since])),
    ...(twice.length > 0 ? [`${twice.length} orders were paid twice, the first is ${twice[0]?.number}`] : []),
    ...(unbalanced?.n ? [`${unbalanced.n} transactions of the ledger do not balance`] : []),
    ...wrongStock.map((row) => `stock of ${row.sku} is not explained by its orders: ${JSON.stringify(row)}`),
  ];
};

/** How many orders are paid; undefined while nobody can tell. */
export const paidSoFar = async ({ database }: Pick<Counter, 'database'>): Promise<number | undefined> => {
  const count = `SELECT count(*)::int AS n FROM commerce_api.sales_order WHERE store_id = $1 AND payment_status = 'paid'`;
  const rows = await database.query<{ n: number }>(count, [STORE]).catch(() => undefined);
  return rows?.[0]?.n;
};
