import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, useForEach, useRunning } from '@platform/testing';
import { askDocumented } from '../../../asked.fixture';
import { startFakeStats } from '../../../clients/chat.stats.fake';
import { bearer, newMember, startCommerce } from '../../../commerce.fixture';
import { sell, type Sold } from './figures.fixture';
import type { PaymentsRow, ProductFigures, SalesRow } from './figures.dto';
import { PAYMENTS } from './payments.sql';
import { PRODUCTS } from './products.sql';
import { salesStatement } from './sales.sql';
import { dayIn, dice, EDGES, HOUR, salesOfYear, shopIn, total, YEAR_BEGINS, ZONES } from './year.fixture';

const chat = useRunning(() => startFakeStats());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));
useForEach(async () => ({ stop: async () => void (chat.state.mood = 'answer') }));

/** What the ledger says was paid with these payments: to the store, and of it to the platform. */
const LEDGER = `
  SELECT coalesce(sum(e.amount), 0)::float8 AS amount, coalesce(sum(e.amount) FILTER (WHERE e.account = 'fee_revenue'), 0)::float8 AS fee
  FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id AND e.side = 'C'
  WHERE t.store_id = $1 AND t.kind = 'order_paid' AND t.ref = ANY ($2)`;

describe.each(ZONES)('the reports of a store in %s', (zone) => {
  it('equal the sums over its orders and its ledger on 100 random days, month ends and changes of the clock', async () => {
    const { storeId, ask, variants } = await shopIn(commerce, zone);
    const sold = salesOfYear(ZONES.indexOf(zone) + 1, variants);
    await sell(commerce, storeId, sold);
    const day = dayIn(zone);
    const roll = dice(77);
    const days = new Set(EDGES.map(day));
    while (days.size < 100) days.add(day(new Date(YEAR_BEGINS + roll(365) * 24 * HOUR)));
    const refunds = sold.flatMap((each) => each.refunds);
    for (const date of days) {
      const span = `from=${date}&to=${date}`;
      const [those, back] = [sold.filter(({ at }) => day(at) === date), refunds.filter(({ at }) => day(at) === date)];
      const [sales, refunded] = [total(those, (each) => each.total), total(back, ({ amount }) => amount)];
      const [row] = (await ask<SalesRow[]>('GET', `/report/sales?${span}`)).body.data;
      expect(row).toEqual({ key: date, orders: those.length, sales, refunded, net: sales - refunded });
      const payments = (await ask<PaymentsRow[]>('GET', `/report/payments?${span}`)).body.data;
      const [ledger] = await commerce.database.query(LEDGER, [storeId, those.map(({ id }) => id)]);
      expect({ amount: total(payments, ({ amount }) => amount), fee: total(payments, ({ fee }) => fee) }).toEqual(
        ledger,
      );
      expect(total(payments, (each) => each.settled + each.pending + each.fee)).toBe(sales);
      const goods = (await ask<ProductFigures[]>('GET', `/report/products?${span}`)).body.data;
      const costs = total(those, ({ cost }) => cost);
      expect([total(goods, ({ units }) => units), total(goods, ({ revenue }) => revenue)]).toEqual([
        those.length,
        sales,
      ]);
      expect([total(goods, ({ cost }) => cost ?? NaN), total(goods, ({ margin }) => margin ?? NaN)]).toEqual([
        costs,
        sales - refunded - costs,
      ]);
    }
  });

  it('of a whole year and of each month have every day once and the same sums by channel and by member', async () => {
    const { storeId, ask, variants } = await shopIn(commerce, zone);
    const sold = salesOfYear(9, variants).filter(({ at }) => dayIn(zone)(at).startsWith('2025'));
    await sell(commerce, storeId, sold);
    const by = async (group: string, span: string) =>
      (await ask<SalesRow[]>('GET', `/report/sales?group=${group}&${span}`)).body.data;
    const year = 'from=2025-01-01&to=2025-12-31';
    const days = await by('day', year);
    expect([days.length, new Set(days.map(({ key }) => key)).size]).toEqual([365, 365]);
    expect(total(days, ({ sales }) => sales)).toBe(total(sold, (each) => each.total));
    for (const [group, of] of [
      ['channel', (each: Sold) => each.channel],
      ['agent', (each: Sold) => each.assignee],
    ] as const) {
      const rows = await by(group, year);
      expect(rows.map(({ key }) => key)).toEqual([
        ...[...new Set(sold.flatMap((each) => of(each) ?? []))].toSorted(),
        ...(group === 'agent' ? [null] : []),
      ]);
      const sums = new Map(rows.map(({ key, sales }) => [key, sales]));
      for (const key of new Set(sold.map(of)))
        expect(sums.get(key)).toBe(
          total(
            sold.filter((each) => of(each) === key),
            (each) => each.total,
          ),
        );
      expect(total(rows, ({ refunded }) => refunded)).toBe(total(days, ({ refunded }) => refunded));
    }
    for (const [month, last] of [
      ['01', 31],
      ['02', 28],
      ['03', 31],
      ['04', 30],
      ['11', 30],
    ] as const) {
      const rows = await by('day', `from=2025-${month}-01&to=2025-${month}-${last}`);
      const those = sold.filter(({ at }) => dayIn(zone)(at).startsWith(`2025-${month}`));
      expect([rows.length, total(rows, ({ sales }) => sales)]).toEqual([last, total(those, (each) => each.total)]);
    }
  });
});

const SPAN = 'from=2025-05-01&to=2025-05-31';
const one = (variant: string, more: Partial<Sold> = {}): Sold => ({
  ...{
    id: uuidv7(),
    at: new Date('2025-05-10T05:00:00Z'),
    total: 50_000,
    channel: 'chat',
    assignee: null,
    phone: '6281110000001',
  },
  ...{ provider: 'transfer', fee: 0, cost: 20_000, variant, refunds: [], ...more },
});

describe('a report', () => {
  it('counts the cost at the sale, whatever the product costs now', async () => {
    const { storeId, ask, variants } = await shopIn(commerce, 'Asia/Jakarta');
    await sell(commerce, storeId, [one(variants[0] as string)]);
    const before = (await ask('GET', `/report/products?${SPAN}`)).body.data;
    await commerce.database.query('UPDATE variant SET cost = 49999 WHERE store_id = $1', [storeId]);
    expect((await ask('GET', `/report/products?${SPAN}`)).body.data).toEqual(before);
    expect(before).toEqual([expect.objectContaining({ units: 1, revenue: 50_000, cost: 20_000, margin: 30_000 })]);
  });

  it('tells of no more goods than are asked for, those that brought most', async () => {
    const { storeId, ask, variants } = await shopIn(commerce, 'Asia/Jakarta');
    const given = { name: 'Gantungan', price: 7_000, weight_g: 10 };
    const made = (await ask<{ variants: { id: string }[] }>('POST', '/products', given)).body.data;
    await sell(commerce, storeId, [one(made.variants[0]?.id ?? '', { total: 7_000 }), one(variants[0] ?? '')]);
    const goods = (limit: string) => ask<ProductFigures[]>('GET', `/report/products?${SPAN}&limit=${limit}`);
    expect((await goods('1')).body.data).toEqual([expect.objectContaining({ units: 1, revenue: 50_000 })]);
    expect((await goods('1000')).body.data).toHaveLength(2);
    expect([(await goods('0')).status, (await goods('1001')).status]).toEqual([422, 422]);
  });

  it('does not tell what goods cost to who may not know it', async () => {
    const { storeId, variants } = await shopIn(commerce, 'Asia/Jakarta');
    await sell(commerce, storeId, [one(variants[0] as string)]);
    const { token } = await newMember(commerce, storeId, 'finance');
    const answer = await askDocumented<ProductFigures[]>(commerce, commerce.url, `/report/products?${SPAN}`, {
      ...{ method: 'GET', headers: bearer(token) },
    });
    expect(Object.keys(answer.body.data[0] ?? {})).toEqual(['product_id', 'name', 'units', 'revenue', 'refunded']);
  });

  it('counts for a member without chat.all the orders of their own chats alone', async () => {
    const { storeId, variants } = await shopIn(commerce, 'Asia/Jakarta');
    const variant = variants[0] as string;
    await sell(commerce, storeId, [
      one(variant),
      one(variant, { phone: '6281110000002', total: 7_000, provider: 'a', fee: 100 }),
    ]);
    const { userId, token } = await newMember(commerce, storeId, 'advertiser');
    chat.handled.set(`${storeId} ${userId}`, ['6281110000002']);
    const as = async <Row>(name: string): Promise<Row[]> =>
      (
        await askDocumented<Row[]>(commerce, commerce.url, `/report/${name}${SPAN}`, {
          method: 'GET',
          headers: bearer(token),
        })
      ).body.data;
    expect(total(await as<SalesRow>('sales?'), ({ sales }) => sales)).toBe(7_000);
    expect(await as<ProductFigures>('products?')).toEqual([expect.objectContaining({ units: 1, revenue: 7_000 })]);
    expect(await as<PaymentsRow>('payments?')).toEqual([
      { provider: 'a', payments: 1, amount: 7_000, fee: 100, settled: 0, pending: 6_900, refunded: 0 },
    ]);
  });

  it('of members joins their chats and their orders, and says so when chat-backend is down or slow', async () => {
    const { storeId, ask, variants } = await shopIn(commerce, 'Asia/Jakarta');
    const [chatting, selling] = [uuidv7(), uuidv7()].toSorted() as [string, string];
    await sell(commerce, storeId, [one(variants[0] as string, { assignee: selling })]);
    const stats = { user_nama: 'Ayu', load: 0, handled: 4, finished: 3, median_first_response: 95 };
    const agents = [
      { ...stats, user_id: chatting },
      { ...stats, user_id: selling, user_nama: 'Dewi' },
    ];
    chat.stats.set(`${storeId} 2025-05-01 2025-05-31`, { chats_opened: 9, agents });
    const row = { handled: 4, finished: 3, first_response_s: 95 };
    expect((await ask('GET', `/report/agents?${SPAN}`)).body.data).toEqual([
      { ...row, user_id: chatting, name: 'Ayu', orders: 0, sales: 0, conversion: 0 },
      { ...row, user_id: selling, name: 'Dewi', orders: 1, sales: 50_000, conversion: 0.25 },
    ]);
    chat.state.mood = 'down';
    expect((await ask('GET', `/report/agents?${SPAN}`)).status).toBe(502);
    chat.state.mood = 'hang';
    expect((await ask('GET', `/report/agents?${SPAN}`)).status).toBe(504);
  });

  it('is refused for days that end before they begin, and for more than a year', async () => {
    const { ask } = await shopIn(commerce, 'Asia/Jakarta');
    for (const [span, text] of [
      ['from=2025-05-02&to=2025-05-01', 'to must be greater than or equal to from'],
      ['from=2024-01-01&to=2025-01-01', 'to must be at most 366 days after from'],
    ] as const)
      expect((await ask('GET', `/report/sales?${span}`)).body).toMatchObject({
        code: 'validation',
        errors: { to: [text] },
      });
  });

  it.each([
    ['sales by day', salesStatement('day'), []],
    ['sales by channel', salesStatement('channel'), []],
    ['sales by member', salesStatement('agent'), []],
    ['products', PRODUCTS, [10]],
    ['payments', PAYMENTS, []],
  ])('of %s is read from indexes', async (_, statement, more) => {
    const values = ['S1', '2025-05-01', '2025-05-31', null, ...more];
    expectNoSeqScan(
      await explain(commerce.database, statement, values),
      'sales_order',
      'order_item',
      'payment',
      'refund',
      'refund_line',
      'product_daily',
      'product_daily_change',
    );
  });
});
