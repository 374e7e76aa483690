import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import { sell, type Sold } from './figures.fixture';
import type { ProductFigures } from './figures.dto';
import { CHANGED } from './product.days';
import { SUM_UP } from './product-days.sql';
import { productsOf } from './products.sql';
import {
  dayIn,
  daysOf,
  dice,
  EDGES,
  HOUR,
  leftToSumUp,
  PHONES,
  salesOfYear,
  shopIn,
  total,
  YEAR_BEGINS,
  ZONES,
} from './year.fixture';

const commerce = useCommerce('2026-03-01T08:00:00.000Z');

const YEAR = { from: '2025-01-01', to: '2025-12-31' };

/** From the sums of days, and from the orders alone: no sums are kept of the orders of some buyers, which here are all that there are. */
const bothWays = async (storeId: string, span: { readonly from: string; readonly to: string }) => {
  const [summed, read] = await Promise.all([
    productsOf(commerce.database, storeId, { ...span, seen: undefined }),
    productsOf(commerce.database, storeId, { ...span, seen: [...PHONES, '6281234567890'] }),
  ]);
  return { summed, read };
};

/** The days of which reports begin and end: at the ends of months and clocks, and any others. */
const spansOf = (zone: string): { readonly from: string; readonly to: string }[] => {
  const [day, roll] = [dayIn(zone), dice(5)];
  const ends = EDGES.map((edge) => new Date(Math.max(edge.getTime(), YEAR_BEGINS + 40 * 24 * HOUR)));
  while (ends.length < 100) ends.push(new Date(YEAR_BEGINS + (40 + roll(320)) * 24 * HOUR));
  return ends.map((end) => ({ from: day(new Date(end.getTime() - roll(35) * 24 * HOUR)), to: day(end) }));
};

/** What a list of sales brought by its variants, as the fixture knows it: returned goods stayed with their buyers. */
const soldIn = (sold: readonly Sold[], isIn: (at: Date) => boolean) => {
  const those = sold.filter(({ at }) => isIn(at));
  const back = sold.flatMap(({ refunds }) => refunds).filter(({ at }) => isIn(at));
  const [revenue, refunded, cost] = [
    total(those, (each) => each.total),
    total(back, ({ amount }) => amount),
    total(those, (each) => each.cost),
  ];
  return { units: those.length, revenue, refunded, cost, margin: revenue - refunded - cost };
};
const summedRows = (rows: readonly ProductFigures[]) => ({
  ...{ units: total(rows, ({ units }) => units), revenue: total(rows, ({ revenue }) => revenue) },
  ...{ refunded: total(rows, ({ refunded }) => refunded), cost: total(rows, ({ cost }) => cost ?? NaN) },
  margin: total(rows, ({ margin }) => margin ?? NaN),
});

/** Somebody cancels, gives back, reverses or pays an old order again, whatever routes would say. */
const LATER = [
  `UPDATE sales_order SET status = 'cancelled', cancelled_at = now() WHERE store_id = $1 AND id = $2`,
  `UPDATE sales_order SET paid_at = NULL, paid_total = 0 WHERE store_id = $1 AND id = $2`,
  `UPDATE sales_order SET paid_at = paid_at + interval '17 days' WHERE store_id = $1 AND id = $2`,
  `UPDATE sales_order SET paid_total = paid_total + 1700 WHERE store_id = $1 AND id = $2`,
  `INSERT INTO refund (store_id, id, order_id, payment_id, idempotency_key, request_hash, amount, tax, currency, fee_share, method, status, reason,
     actor, ended_at, created_at, updated_at)
   SELECT o.store_id, uuidv7(), o.id, o.id, uuidv7()::text, '', 900, 0, 'IDR', 0, 'manual', 'succeeded', 'rusak', 'test', o.created_at + interval '3 days',
     o.created_at, o.created_at FROM sales_order o WHERE o.store_id = $1 AND o.id = $2`,
  `UPDATE refund SET status = 'failed' WHERE store_id = $1 AND order_id = $2`,
];

/** The same, whichever way it is read. */
const expectSame = async (storeId: string, spans: readonly { readonly from: string; readonly to: string }[]) => {
  for (const span of spans) {
    const { summed, read } = await bothWays(storeId, span);
    expect([span, summed]).toEqual([span, read]);
  }
};

describe.each(ZONES)('what products brought a store in %s, summed up by the day', (zone) => {
  it('equals its orders in 100 spans of days with month ends and changes of the clock, whatever changes later', async () => {
    const { storeId, variants } = await shopIn(commerce, zone);
    const sold = salesOfYear(21 + ZONES.indexOf(zone), variants);
    await sell(commerce, storeId, sold);
    await daysOf(commerce).sumUp();
    expect(await leftToSumUp(commerce, storeId)).toEqual([]);
    const day = dayIn(zone);
    const spans = spansOf(zone);
    for (const span of spans) {
      const isIn = (at: Date): boolean => day(at) >= span.from && day(at) <= span.to;
      const rows = await productsOf(commerce.database, storeId, { ...span, seen: undefined });
      expect([span, summedRows(rows)]).toEqual([span, soldIn(sold, isIn)]);
    }
    const some = [YEAR, ...spans.filter((_, index) => index % 5 === 0)];
    for (const [index, { id }] of sold.entries())
      if (index % 3 === 0) await commerce.database.query(LATER[(index / 3) % LATER.length] as string, [storeId, id]);
    expect((await leftToSumUp(commerce, storeId)).length).toBeGreaterThan(20);
    await expectSame(storeId, some);
    await daysOf(commerce).sumUp();
    expect(await leftToSumUp(commerce, storeId)).toEqual([]);
    await expectSame(storeId, some);
  });
});

const one = (variant: string, more: Partial<Sold> = {}): Sold => ({
  ...{ id: uuidv7(), at: new Date('2025-05-10T05:00:00Z'), total: 50_000, channel: 'chat', assignee: null },
  ...{ phone: PHONES[0] as string, provider: 'transfer', fee: 0, cost: 20_000, variant, refunds: [], ...more },
});

describe('sums of days', () => {
  it('stay right where the time zone of a store changes', async () => {
    const { storeId, variants } = await shopIn(commerce, 'Asia/Jakarta');
    await sell(commerce, storeId, salesOfYear(3, variants));
    await daysOf(commerce).sumUp();
    const before = await bothWays(storeId, { from: '2025-03-01', to: '2025-04-30' });
    await commerce.database.query(`UPDATE store SET timezone = 'America/Sao_Paulo' WHERE store_id = $1`, [storeId]);
    const after = await bothWays(storeId, { from: '2025-03-01', to: '2025-04-30' });
    expect(after.summed).toEqual(after.read);
    expect(after.summed).not.toEqual(before.summed);
  });

  it('lose nothing of orders that are paid, refunded and cancelled while two processes sum up', async () => {
    const shop = await orderShop(commerce, 400, 400);
    await commerce.database.query(`UPDATE variant SET cost = 4000 WHERE store_id = $1`, [shop.storeId]);
    const orders = await Promise.all(
      Array.from({ length: 40 }, (_, at) => shop.place(shop.cart(1 + (at % 3), at % 2))),
    );
    // They were paid on days that are over
    const paidAt = (at: number): string =>
      new Date(commerce.clock.now().getTime() - (2 + (at % 3)) * 24 * HOUR).toISOString();
    let isDone = false;
    const sumUp = async (): Promise<void> => {
      while (!isDone) await daysOf(commerce).sumUp();
    };
    const trade = async (): Promise<void> => {
      for (let from = 0; from < orders.length; from += 8)
        await Promise.all(
          orders.slice(from, from + 8).map(async ({ id, items }, at) => {
            await shop.pay(id, { paid_at: paidAt(from + at) });
            const body = { reason: 'Rusak', method: 'manual' };
            if (at % 4 === 0) await shop.ask('POST', `/order/${id}/refund`, { ...body, amount: 1_000 }, uuidv7());
            if (at % 4 < 2)
              await shop.ask(
                'POST',
                `/order/${id}/refund`,
                { ...body, lines: [{ order_item_id: items[0]?.id, qty: 1 }] },
                uuidv7(),
              );
            if (at % 4 === 2) await shop.ask('POST', `/order/${id}/cancel`, { reason: 'Batal' });
            if (at % 4 === 3)
              await shop.ask('POST', '/order/change_payment_status', { order_id: id, status: 'unpaid' });
          }),
        );
      isDone = true;
    };
    await Promise.all([trade(), sumUp(), sumUp()]);
    commerce.clock.advance(24 * HOUR);
    await daysOf(commerce).sumUp();
    expect(await leftToSumUp(commerce, shop.storeId)).toEqual([]);
    const { summed, read } = await bothWays(shop.storeId, { from: '2026-02-01', to: '2026-03-31' });
    expect(summed).toEqual(read);
    const kept = orders.filter((_, at) => at % 4 !== 3);
    expect(total(summed, ({ units }) => units)).toBe(total(kept, ({ items }) => total(items, ({ qty }) => qty)));
  });

  it('leave the day that goes on to its orders', async () => {
    const shop = await orderShop(commerce, 9);
    await shop.pay((await shop.place(shop.cart(2))).id);
    await daysOf(commerce).sumUp();
    const today = commerce.clock.now().toISOString().slice(0, 10);
    expect(await leftToSumUp(commerce, shop.storeId)).toEqual([today]);
    commerce.clock.advance(24 * HOUR);
    await daysOf(commerce).sumUp();
    expect(await leftToSumUp(commerce, shop.storeId)).toEqual([]);
  });

  it('are not asked for again by what changes no figure of a paid order', async () => {
    const shop = await orderShop(commerce, 9);
    const { id } = await shop.place(shop.cart(2));
    await shop.pay(id);
    commerce.clock.advance(24 * HOUR);
    await daysOf(commerce).sumUp();
    await commerce.database.query(
      `UPDATE sales_order SET status = 'completed', fulfillment_status = 'delivered', version = version + 1 WHERE store_id = $1 AND id = $2`,
      [shop.storeId, id],
    );
    expect(await leftToSumUp(commerce, shop.storeId)).toEqual([]);
  });

  it('of a store that cannot be had keep those of no other store waiting', async () => {
    const [broken, sound] = [await shopIn(commerce, 'Asia/Jakarta'), await shopIn(commerce, 'Asia/Jakarta')];
    await sell(commerce, broken.storeId, [one(broken.variants[0] as string)]);
    await commerce.database.query(`UPDATE order_item SET cost = 9000000000000000000, qty = 3 WHERE store_id = $1`, [
      broken.storeId,
    ]);
    await sell(commerce, sound.storeId, [one(sound.variants[0] as string)]);
    await daysOf(commerce).sumUp();
    expect(await leftToSumUp(commerce, sound.storeId)).toEqual([]);
    expect(await leftToSumUp(commerce, broken.storeId)).toEqual(['2025-05-10']);
  });

  it('are read and written by indexes', async () => {
    const tables = [
      'sales_order',
      'order_item',
      'refund',
      'refund_line',
      'product_daily',
      'product_daily_change',
    ] as const;
    expectNoSeqScan(await explain(commerce.database, SUM_UP, ['S1', '2025-05-01']), ...tables);
    expectNoSeqScan(await explain(commerce.database, CHANGED, [commerce.clock.now(), []]), 'product_daily_change');
  });
});
