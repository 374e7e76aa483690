import { uuidv7 } from '@platform/runtime';
import { random } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { Refund } from '../../sales/refunds/refunds.dto';
import { settlePayment } from '../../sales/payments/public';
import type { PaymentsRow, ProductFigures, SalesRow } from './figures.dto';
import { dayIn, daysOf, HOUR, leftToSumUp, total } from './year.fixture';

const commerce = useCommerce('2026-01-30T20:00:00.000Z');

const STEPS = 180;

type Shop = OrderShop & {
  readonly ids: string[];
  readonly costs: Map<string, number>;
  readonly back: Map<string, number>;
  /** Of what went back without lines, what was none of the order's price by then. */
  readonly beyond: Map<string, number>;
};
type Dice = ReturnType<typeof random>;

const orderOf = async (shop: OrderShop, id: string): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;

/** Paid through a provider to the platform, which keeps 1,000 of it. */
const settled = async ({ storeId }: Shop, { id: orderId, number, total }: Order): Promise<void> => {
  const [id, at] = [uuidv7(), commerce.clock.now()];
  await commerce.database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, provider_ref, invoice_number, amount, currency, status, mode,
       platform_fee, created_at, updated_at)
     VALUES ($1::varchar, $2::uuid, $3::uuid, (SELECT coalesce(max(attempt), 0) + 1 FROM payment WHERE store_id = $1 AND order_id = $3), $2, 'b', $2::text, $4::text || $2::text,
       $5, 'IDR', 'pending', 'platform', 1000, $6, $6)`,
    [storeId, id, orderId, number, total, at],
  );
  const fact = { amount: total, currency: 'IDR', paidAt: at, fee: 500 };
  await commerce.database.tx((tx) => settlePayment(tx, { storeId, actor: 'provider:b', at }, id, fact));
};

/** What somebody does in a shop; what cannot be done then is refused, and is no trade. */
const steps = (shop: Shop, { below, pick }: Dice) => {
  const some = () => shop.cart(1 + below(3), below(3), below(2));
  const one = () => pick(shop.ids);
  const refund = async (more: (order: Order) => object) => {
    const order = await orderOf(shop, one());
    const body = { reason: 'Rusak', method: 'manual', ...more(order) };
    const answer = await shop.ask<Refund>('POST', `/order/${order.id}/refund`, body, uuidv7());
    const amount = answer.status === 201 ? answer.body.data.amount : 0;
    const before = shop.beyond.get(order.id) ?? 0;
    const surplus = Math.max(0, order.paid_total - order.total - before);
    const beyond = order.paid_at === null ? amount : Math.min(amount, surplus);
    if (!('lines' in body)) shop.beyond.set(order.id, before + beyond);
    return { order, amount };
  };
  return {
    place: async () => {
      const order = await shop.place({ ...some(), payment_method: pick(['cash', 'cod', 'transfer']) });
      shop.ids.push(order.id);
      // Kept as the goods cost now, whatever they cost later
      for (const item of order.items) shop.costs.set(item.id, shop.costs.get(item.variant_id) ?? NaN);
    },
    pay: async () => void (await shop.pay(one(), { method: pick(['cash', 'cod', 'transfer']) })),
    payLate: async () =>
      void (await shop.pay(one(), {
        paid_at: new Date(commerce.clock.now().getTime() - below(90) * HOUR).toISOString(),
      })),
    payPart: async () => void (await shop.pay(one(), { amount: 1 + below(9_000) })),
    payTwice: async () => settled(shop, await orderOf(shop, one())),
    back: async () =>
      void (await shop.ask('POST', '/order/change_payment_status', { order_id: one(), status: 'unpaid' })),
    cancel: async () => void (await shop.ask('POST', `/order/${one()}/cancel`, { reason: 'Batal' })),
    sumUp: () => daysOf(commerce).sumUp(),
    giveAll: async () => void (await refund(() => ({}))),
    givePart: async () => void (await refund(() => ({ amount: 1 + below(7_000) }))),
    giveLine: async () => {
      const shelved = below(2) === 0;
      const { order, amount } = await refund(({ items, warehouse_id }) => ({
        lines: [{ order_item_id: items[0]?.id, qty: 1, ...(shelved && { restock_to: warehouse_id }) }],
      }));
      const item = order.items[0]?.id ?? '';
      if (amount > 0 && shelved) shop.back.set(item, (shop.back.get(item) ?? 0) + 1);
    },
    cost: async () => {
      const [variant, cost] = [pick(shop.variants), below(9_000)];
      shop.costs.set(variant, cost);
      await commerce.database.query('UPDATE variant SET cost = $3 WHERE store_id = $1 AND id = $2', [
        shop.storeId,
        variant,
        cost,
      ]);
    },
  };
};

const tradedFor = async (zone: string, seed: number): Promise<Shop> => {
  const plain = await orderShop(commerce, 900, 900, 900);
  await commerce.database.query('UPDATE store SET timezone = $2 WHERE store_id = $1', [plain.storeId, zone]);
  const shop = {
    ...plain,
    ids: [],
    costs: new Map<string, number>(),
    back: new Map<string, number>(),
    beyond: new Map<string, number>(),
  };
  const dice = random(seed);
  const can = steps(shop, dice);
  for (const variant of shop.variants) {
    shop.costs.set(variant, 4_000);
    await commerce.database.query('UPDATE variant SET cost = 4000 WHERE store_id = $1 AND id = $2', [
      shop.storeId,
      variant,
    ]);
  }
  await can.place();
  const usual = ['place', 'place', 'pay', 'pay', 'payPart', 'giveAll', 'givePart', 'giveLine', 'cancel'] as const;
  const seldom = ['payLate', 'payTwice', 'back', 'cost', 'sumUp'] as const;
  for (let step = 0; step < STEPS; step++) {
    commerce.clock.advance(1 + dice.below(60 * HOUR));
    await can[dice.below(3) === 0 ? dice.pick(seldom) : dice.pick(usual)]();
  }
  return shop;
};

/** What the ledger has of orders: what came by a payment and stayed, and what went back by a refund and stayed away. */
const LEDGER = `
  SELECT split_part(t.idempotency_key, ':', 1) AS step, split_part(t.idempotency_key, ':', 2) AS ref, t.posted_at,
    sum(e.amount) FILTER (WHERE e.side = 'D')::float8 AS amount
  FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id
  WHERE t.store_id = $1 GROUP BY t.id, 1, 2, 3`;
interface Booked {
  readonly step: string;
  readonly ref: string;
  readonly posted_at: Date;
  readonly amount: number;
}
const PAID = `SELECT id::text, paid_at FROM payment WHERE store_id = $1 AND status = 'paid'`;

const booked = async ({ storeId }: Shop, day: (at: Date | string) => string) => {
  const rows = await commerce.database.query<Booked>(LEDGER, [storeId]);
  const undone = new Set(rows.filter(({ step }) => step === 'payment_reversed').map(({ ref }) => ref));
  const paid = await commerce.database.query<{ id: string; paid_at: Date }>(PAID, [storeId]);
  const days = new Map(paid.map(({ id, paid_at }) => [id, day(paid_at)]));
  const came = rows.filter(({ step, ref }) => step === 'order_paid' && !undone.has(ref));
  expect(came.map(({ ref }) => ref).toSorted()).toEqual([...days.keys()].toSorted());
  return {
    came: came.map(({ ref, amount }) => ({ day: days.get(ref), amount })),
    went: rows
      .filter(({ step }) => step === 'refund_paid')
      .map(({ posted_at, amount }) => ({ day: day(posted_at), amount })),
  };
};

/** What an order sold for stays sold, less what went back, but what had come in beyond it by then, or before all of it was there. */
const keptOf =
  ({ beyond }: Shop) =>
  ({ id, total, paid_total, refunded_total }: Order): number => {
    const ofNone = beyond.get(id) ?? 0;
    return total - (refunded_total - ofNone) - Math.max(0, ofNone - Math.max(0, paid_total - total));
  };

describe.each([
  ['Asia/Jakarta', 11],
  ['Europe/Berlin', 12],
  ['America/Sao_Paulo', 13],
] as const)('a store in %s that has traded through its routes', (zone, seed) => {
  it('reads in its reports, day by day, what its orders and its ledger say', async () => {
    const shop = await tradedFor(zone, seed);
    const day = dayIn(zone);
    const orders = await Promise.all(shop.ids.map((id) => orderOf(shop, id)));
    const sold = orders.filter(({ paid_at }) => paid_at !== null);
    const { came, went } = await booked(shop, day);
    const read = async <Row>(name: string, from: string, to: string) =>
      (await shop.ask<Row[]>('GET', `/report/${name}?from=${from}&to=${to}`)).body.data;
    const last = day(commerce.clock.now());
    const sales = await read<SalesRow>('sales', day(new Date(commerce.clock.now().getTime() - 365 * 24 * HOUR)), last);
    const on = (date: string) => sold.filter(({ paid_at }) => day(paid_at ?? '') === date);
    expect(sales.map(({ key, orders: count, sales: amount }) => [key, count, amount])).toEqual(
      sales.map(({ key }) => [key, on(key ?? '').length, total(on(key ?? ''), ({ total }) => total)]),
    );
    expect(total(sales, ({ net }) => net)).toBe(total(sold, keptOf(shop)));
    const days = [...new Set([...sold.map(({ paid_at }) => day(paid_at ?? '')), ...went.map((each) => each.day)])];
    for (const date of days) {
      const payments = await read<PaymentsRow>('payments', date, date);
      const ofDay = (rows: readonly { day: string | undefined; amount: number }[]) =>
        total(
          rows.filter((each) => each.day === date),
          ({ amount }) => amount,
        );
      expect([date, total(payments, ({ amount }) => amount), total(payments, ({ refunded }) => refunded)]).toEqual([
        date,
        ofDay(came),
        ofDay(went),
      ]);
      const goods = await read<ProductFigures>('products', date, date);
      const told = sales.find(({ key }) => key === date);
      expect([date, total(goods, ({ revenue }) => revenue), total(goods, ({ refunded }) => refunded)]).toEqual([
        date,
        told?.sales,
        told?.refunded,
      ]);
      expect(total(goods, ({ units }) => units)).toBe(total(on(date), ({ items }) => total(items, ({ qty }) => qty)));
    }
    const year = await read<ProductFigures>('products', sales[0]?.key ?? '', last);
    const cost = total(
      sold.filter(({ status }) => status !== 'cancelled'),
      ({ items }) => total(items, ({ id, qty }) => (qty - (shop.back.get(id) ?? 0)) * (shop.costs.get(id) ?? NaN)),
    );
    expect([total(year, (row) => row.cost ?? NaN), total(year, (row) => row.margin ?? NaN)]).toEqual([
      cost,
      total(sold, keptOf(shop)) - cost,
    ]);
    expect(days.length).toBeGreaterThan(25);
    commerce.clock.advance(24 * HOUR);
    await daysOf(commerce).sumUp();
    expect(await leftToSumUp(commerce, shop.storeId)).toEqual([]);
    expect(await read<ProductFigures>('products', sales[0]?.key ?? '', last)).toEqual(year);
  });
});
