import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { caller, type RunningProgram } from '@platform/testing';
import { newApiToken, NOW, useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { withoutContacts } from '../buyers/public';
import { placeOrder } from './order-place';
import { orderShop, type OrderShop } from './orders.fixture';

const commerce = useCommerce();
let other: RunningProgram | undefined;
afterEach(async () => {
  await other?.stop('SIGKILL');
  other = undefined;
  expect(await unexplained(commerce.database)).toEqual([]);
});

/** The service once more, as a process of its own. */
const secondProcess = async (): Promise<RunningProgram> =>
  (other = await startSecondProcess(commerce, { RATE_PER_MINUTE: '1000000' }));

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly data?: { readonly id: string } };
}

/**
 * Buyers at every process in turn, each with a key, under which they ask again when the service or their store's share of it is busy, as
 * its 503 or 429 says. An API token, because the other process has a clock of its own.
 */
const buyersOf = async ({ storeId }: OrderShop, urls: readonly string[]) => {
  const { token } = await newApiToken(commerce, storeId, { abilities: ['order.write'] });
  return async (at: number, body: object, key: string = uuidv7()): Promise<Answer> => {
    const ask = caller(urls[at % urls.length] ?? '');
    for (;;) {
      const answer = await ask('/api/order', { body, token, headers: { 'idempotency-key': key } });
      if (![429, 503].includes(answer.status)) return { status: answer.status, body: answer.body as Answer['body'] };
    }
  };
};
const ordersOf = async ({ storeId }: OrderShop): Promise<number> =>
  (await commerce.database.query('SELECT 1 FROM sales_order WHERE store_id = $1', [storeId])).length;

describe('orders under load', () => {
  it('500 buyers of ten pieces at two processes: ten have one, everybody else is told that there is none', async () => {
    const shop = await orderShop(commerce, 10);
    const buy = await buyersOf(shop, [commerce.url, (await secondProcess()).url]);
    const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => buy(at, shop.cart(1))));
    const refusals = answers.filter(({ status }) => status !== 201);
    expect([answers.length - refusals.length, await ordersOf(shop), await shop.levels()]).toEqual([10, 10, ['10/10']]);
    const lines = [{ variant_id: shop.variants[0], warehouse_id: expect.any(String) as string, available: 0 }];
    const told = { status: 'error', message: 'There is not enough stock', code: 'out_of_stock', lines };
    expect(refusals).toEqual(Array(490).fill({ status: 409, body: told }));
  });

  it('400 orders of two lines in mixed order at two processes: all are placed, none waits in a circle', async () => {
    const shop = await orderShop(commerce, 1_000, 1_000);
    const buy = await buyersOf(shop, [commerce.url, (await secondProcess()).url]);
    const { items } = shop.cart(1, 1);
    const mixed = (at: number) => ({ ...shop.cart(1, 1), items: at % 3 === 0 ? items : items.toReversed() });
    const deadlocks = async () =>
      (
        await commerce.database.query<{ deadlocks: string }>(
          'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
        )
      )[0]?.deadlocks;
    const before = await deadlocks();
    const answers = await Promise.all(Array.from({ length: 400 }, (_, at) => buy(at, mixed(at))));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    expect([await shop.levels(), await deadlocks()]).toEqual([['1000/400', '1000/400'], before]);
    expect([new Set(answers.map(({ body }) => body.data?.id)).size, await ordersOf(shop)]).toEqual([400, 400]);
  });

  it('requests whose process is killed leave one order a key, which the same key finds', async () => {
    const shop = await orderShop(commerce, 1_000);
    const killed = await secondProcess();
    const buy = await buyersOf(shop, [killed.url, commerce.url]);
    const asked = Array.from({ length: 60 }, (_, at) => buy(0, shop.cart(1), `k${at}`).catch(() => undefined));
    await asked[0];
    await killed.stop('SIGKILL');
    await Promise.all(asked);
    const left = await ordersOf(shop);
    const again = await Promise.all(Array.from({ length: 60 }, (_, at) => buy(1, shop.cart(1), `k${at}`)));
    expect(again.filter(({ status }) => status !== 201)).toEqual([]);
    expect([left > 0, await ordersOf(shop), await shop.levels()]).toEqual([true, 60, ['1000/60']]);
    expect(new Set(again.map(({ body }) => body.data?.id)).size).toBe(60);
  });
});

/** What `placeOrder` asks the database for an order of so many lines, with a coupon and a key, as the names of its statements. */
const statementsOf = async (kinds: number): Promise<string[]> => {
  const shop = await orderShop(commerce, ...Array.from({ length: kinds }, () => 5));
  await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'fixed', value: 100 });
  const by = { storeId: shop.storeId, actor: 'u1', at: new Date(NOW) };
  const actor = { id: 'u1', name: 'Sari', kind: 'user' as const };
  const audit = { tenantId: shop.storeId, actor, at: by.at };
  const asked: string[] = [];
  await commerce.database.tx(async (tx) => {
    const heard: Sql = {
      query: (text, values) => (asked.push(text), tx.query(text, values)),
      prepared: (name, text, values) => (asked.push(name), tx.prepared(name, text, values)),
    };
    const body = { ...shop.cart(...Array.from({ length: kinds }, () => 1)), coupon: 'SALE' };
    await placeOrder(heard, { by, audit, buyers: withoutContacts, key: 'k' }, body as never);
  });
  return asked;
};

it('placing takes eleven statements with a coupon and a key, however many lines it has', async () => {
  expect([(await statementsOf(1)).length, (await statementsOf(12)).length]).toEqual([11, 11]);
});

it('placing locks the rows that everybody wants last: nobody waits for more than the commit', async () => {
  const asked = await statementsOf(2);
  expect(asked.slice(asked.indexOf('stock reserve'))).toEqual(['stock reserve', 'coupon take', 'coupon hold']);
});
