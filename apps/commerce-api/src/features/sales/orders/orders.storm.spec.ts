import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from '@platform/data';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { caller, overTcp, random, until, type Random, type RunningProgram } from '@platform/testing';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { deadlocksOf, newApiToken, useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { withoutContacts } from '../buyers/public';
import { UnpaidOrders } from './order-expiry';
import { placeOrder } from './order-place';
import type { Order } from './orders.dto';
import { orderShop, withoutTills, type OrderShop } from './orders.fixture';

/** Who is told to wait does, each time for longer, or those who ask again would keep the machine busy, not the orders. */
const RETRY_MS = { first: 50, last: 1_000 };
/** Beside a second process, whose clock is the real one: it would cancel what was placed months before and never paid. */
const commerce = useCommerce(new Date().toISOString());
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
    for (let pause = RETRY_MS.first; ; pause = Math.min(2 * pause, RETRY_MS.last)) {
      const answer = await ask('/api/order', { body, token, headers: { 'idempotency-key': key } });
      if (![429, 503].includes(answer.status)) return { status: answer.status, body: answer.body as Answer['body'] };
      await delay(pause);
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
    const before = await deadlocksOf(commerce);
    const answers = await Promise.all(Array.from({ length: 400 }, (_, at) => buy(at, mixed(at))));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    // What its sessions know of deadlocks they tell when they end
    await other?.stop();
    expect([await shop.levels(), await deadlocksOf(commerce)]).toEqual([['1000/400', '1000/400'], before]);
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

/** The database of these tests through a line on which nobody hears any more what it says to a COMMIT that makes an order. */
const deafLine = async () => {
  const url = overTcp(commerce.database.url);
  const { hostname, port } = url;
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    let [places, isDeaf] = [false, false];
    client.on('data', (asked) => {
      places ||= asked.includes('INSERT INTO sales_order');
      isDeaf ||= places && asked.includes('COMMIT');
      database.write(asked);
    });
    database.on('data', (told) => void (isDeaf || client.write(told)));
    for (const [one, end] of [
      [client, database],
      [database, client],
    ] as const)
      one.on('error', () => end.destroy()).on('close', () => end.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, stop: () => void server.close() };
};

it('a request whose process is killed between its commit and its answer has made the order that its key finds', async () => {
  const shop = await orderShop(commerce, 9);
  const line = await deafLine();
  const killed = (other = await startSecondProcess(commerce, { DATABASE_URL: line.url }));
  const buy = await buyersOf(shop, [killed.url, commerce.url]);
  const asked = buy(0, shop.cart(2), 'k1').catch(() => 'no answer');
  await until(async () => (await ordersOf(shop)) === 1);
  await killed.stop('SIGKILL');
  expect(await asked).toBe('no answer');
  line.stop();
  const orders = (await shop.ask<Order[]>('GET', '/order')).body.data;
  const again = await buy(1, shop.cart(2), 'k1');
  expect([again.status, again.body.data?.id]).toEqual([201, orders[0]?.id]);
  expect((await buy(1, shop.cart(3), 'k1')).body).toMatchObject({ code: 'idempotency_mismatch' });
  expect([await ordersOf(shop), await shop.levels()]).toEqual([1, ['9/2']]);
});

const ABILITIES = [
  ...['order.read', 'order.write', 'payment.record', 'contact.write', 'shipping.write', 'warehouse.write'],
  'stock.write',
];
/** What somebody may be told who comes too late for what they want. */
const EXPECTED = [
  ...['out_of_stock', 'below_reserved', 'version_conflict', 'invalid_transition', 'paid', 'refund_first', 'goods_out'],
  ...['nothing_left', 'waybill_used', 'not_found', 'validation', 'rate_limited', 'unavailable', 'coupon_unavailable'],
];

/** Everything that writes orders, asked at every process in turn with whatever the dice say; each resolves to the answer's code. */
const stepsOf = async (shop: OrderShop, urls: readonly string[], { below, pick, chance }: Random) => {
  const { token } = await newApiToken(commerce, shop.storeId, { abilities: ABILITIES });
  const address = { name: 'x', phone: '6281234567890', line: 'x' };
  const second = { name: 'Gudang 2', phone: '6281234567890', address };
  await shop.ask('POST', '/warehouse', second);
  const warehouses = (await shop.ask<{ id: string }[]>('GET', '/warehouse')).body.data.map(({ id }) => id);
  const orders: string[] = [];
  const ask = async <Data = unknown>(method: string, path: string, body?: object) => {
    const answer = await caller(pick(urls))(`/api${path}`, { method, body, token });
    const { code, data } = answer.body as { readonly code?: string; readonly data: Data };
    return { code: answer.status < 300 ? 'done' : (code ?? `${answer.status}`), data };
  };
  const codeOf = async (method: string, path: string, body?: object): Promise<string> =>
    (await ask(method, path, body)).code;
  /** Some are new, some have no address for mail yet. */
  const contact = () => ({
    ...{ name: 'Budi', phone: `62812345${String(below(40)).padStart(4, '0')}` },
    ...(chance(0.5) ? { email: 'b@shop.example' } : {}),
  });
  const wanted = () => {
    const { items, ...cart } = shop.cart(1 + below(3), 1 + below(3), 1 + below(3));
    const lines = chance(0.5) ? items : items.toReversed();
    return { ...cart, items: lines, contact: contact(), ...(chance(0.3) ? { coupon: pick(['ONE', 'TWO']) } : {}) };
  };
  const some = (sql: string): Promise<{ id: string }[]> =>
    commerce.database.query(`${sql} WHERE store_id = $1 ORDER BY random() LIMIT 2`, [shop.storeId]);
  const count = (warehouse: string) => {
    const lines = shop.variants.map((variant_id) => ({ variant_id, counted: 20 + below(20) }));
    return codeOf('PUT', `/warehouse/${warehouse}/stock`, { lines });
  };
  for (const warehouse of warehouses) await count(warehouse);
  const steps = {
    place: async () => {
      const { code, data } = await ask<Order>('POST', '/order', wanted());
      if (code === 'done') orders.push(data.id);
      return code;
    },
    edit: async () => {
      const { data } = await ask<Order>('GET', `/order/${pick(orders)}`);
      const more = chance(0.3) ? { warehouse_id: pick(warehouses) } : {};
      return codeOf('PUT', `/order/${data.id}`, { ...wanted(), ...more, version: data.version });
    },
    pay: () =>
      codeOf('POST', '/order/change_payment_status', { order_id: pick(orders), status: 'paid', method: 'cash' }),
    back: () => codeOf('POST', '/order/change_payment_status', { order_id: pick(orders), status: 'unpaid' }),
    cancel: () => codeOf('POST', `/order/${pick(orders)}/cancel`, { reason: 'Batal' }),
    send: () => codeOf('POST', `/order/${pick(orders)}/waybill`, { courier: 'JNE', waybill: uuidv7().slice(0, 30) }),
    assign: () => codeOf('POST', `/order/${pick(orders)}/assign`, { warehouse_id: pick(warehouses) }),
    prefer: () => codeOf('PUT', `/warehouse/${pick(warehouses)}/default`),
    count: () => count(pick(warehouses)),
    merge: async () => {
      const [keep, other] = await some('SELECT id FROM contact');
      return codeOf('POST', '/contact/merge', { keep_id: keep?.id, merge_ids: [other?.id ?? keep?.id] });
    },
    forget: async () => codeOf('DELETE', `/contact/${(await some('SELECT id FROM contact'))[0]?.id}`),
    expire: async () => {
      const clock = { now: () => new Date(commerce.clock.now().getTime() + 86_400_000) };
      await new UnpaidOrders({ database: commerce.database, clock, logger: silentLogger }).cancel();
      return 'done';
    },
  };
  const often = [...Array<keyof typeof steps>(6).fill('place'), ...Array<keyof typeof steps>(8).fill('edit')];
  return { steps, likely: [...(Object.keys(steps) as (keyof typeof steps)[]), ...often, 'pay', 'cancel'] as const };
};

it('a storm of everything that writes orders at two processes, its plan nearly full and its goods in two warehouses, has no deadlock', async () => {
  const shop = await orderShop(commerce, 30, 30, 30);
  await commerce.database.query(
    `INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'contacts', 0, 20)`,
    [shop.storeId],
  );
  for (const coupon of [
    ...['ONE', 'TWO'].map((code) => ({ code, kind: 'fixed', value: 100, usage_limit: 20 })),
    { code: 'AUTO', auto: true, kind: 'percent', value: 5, usage_limit: 10 },
    { code: 'SELF', auto: true, kind: 'percent', value: 4, per_contact_limit: 2 },
  ])
    await shop.ask('POST', '/coupon', coupon);
  const dice = random(89);
  const { url } = await secondProcess();
  const { steps, likely } = await stepsOf(shop, [commerce.url, url], dice);
  const before = await deadlocksOf(commerce);
  expect(await steps.place()).toBe('done');
  const told: string[] = [];
  const neverDone = () => Object.keys(steps).filter((kind) => !told.includes(`${kind} done`));
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      // Who comes first is up to the machine: it blows until each of them has come through once
      for (let step = 0; step < 20 || (step < 200 && neverDone().length > 0); step += 1) {
        const kind = dice.pick(likely);
        told.push(`${kind} ${await steps[kind]()}`);
      }
    }),
  );
  await other?.stop();
  expect(told.filter((answer) => !['done', ...EXPECTED].includes(answer.split(' ')[1] ?? ''))).toEqual([]);
  expect(neverDone()).toEqual([]);
  expect(await deadlocksOf(commerce)).toBe(before);
});

/** What `placeOrder` asks the database for an order of so many lines, with a coupon and a key, as the names of its statements. */
const statementsOf = async (kinds: number, payment_method = 'cash'): Promise<string[]> => {
  const shop = await orderShop(commerce, ...Array.from({ length: kinds }, () => 5));
  await commerce.database.query(
    `INSERT INTO payment_method (store_id, code, enabled, fee_bearer, fee_fixed, fee_percent_bp, channels, created_at, updated_at)
      VALUES ($1, 'a', true, 'merchant', 0, 0, '{}', $2, $2)`,
    [shop.storeId, commerce.clock.now()],
  );
  await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'fixed', value: 100 });
  const by = { storeId: shop.storeId, actor: 'u1', at: commerce.clock.now() };
  const actor = { id: 'u1', name: 'Sari', kind: 'user' as const };
  const audit = { tenantId: shop.storeId, actor, at: by.at };
  const asked: string[] = [];
  await commerce.database.tx(async (tx) => {
    const heard: Transaction = {
      ...tx,
      query: (text, values) => (asked.push(text), tx.query(text, values)),
      prepared: (name, text, values) => (asked.push(name), tx.prepared(name, text, values)),
      later: (name, text, values) => (asked.push(`later: ${name}`), tx.later(name, text, values)),
    };
    const body = { ...shop.cart(...Array.from({ length: kinds }, () => 1)), coupon: 'SALE', payment_method };
    const gateways = { ...withoutTills.gateways, isThere: () => true, hasPlatform: () => true };
    const tills = { ...withoutTills, gateways };
    await placeOrder(heard, { by, audit, buyers: withoutContacts, tills, key: 'k' }, body as never);
  });
  return asked;
};

it('placing waits for eight statements with a coupon and a key, however many lines it has', async () => {
  const waited = async (kinds: number) => (await statementsOf(kinds)).filter((name) => !name.startsWith('later'));
  expect([(await waited(1)).length, (await waited(12)).length]).toEqual([8, 8]);
});

it.each(['cash', 'a'])('placing an order by %s locks the rows that everybody wants last', async (method) => {
  const asked = await statementsOf(2, method);
  expect(asked.slice(asked.indexOf('stock reserve'))).toEqual(['stock reserve', 'coupon take', 'later: coupon hold']);
});
