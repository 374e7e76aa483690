import { expectNoSeqScan, explain, until, useRunning } from '@platform/testing';
import { invalid, ownStore, refused } from '../../../asked.fixture';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { announce } from '../../../announce';
import { uuidv7 } from '@platform/runtime';
import type { Order } from '../../sales/orders/orders.dto';
import { shippingShop } from '../../shipping/shipments/shipments.fixture';
import { toldOf } from '../../notifications/notifications.fixture';
import { noticedOf } from '../noticed.fixture';
import { DUE_HOOKS } from './hook.deliveries';
import { UP_TO } from './hook.news';
import { failing, hanging, isSigned, startReceiver, type ReceivedNews } from './receiver.fixture';
import { addHook, deliveriesOf, hooksOf, lookForDue, PATH } from './webhooks.fixture';
import { WEBHOOKS } from './webhooks.sql';

const MINUTE = 60_000;
const ORDER_EVENTS = ['order.created', 'order.paid', 'order.shipped', 'order.cancelled'];

const receiver = useRunning(startReceiver);
const commerce = useRunning(() => startCommerce({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }));

let hooks = 0;
const shopWithHook = async (events: readonly string[] = ORDER_EVENTS) => {
  const shop = await shippingShop(commerce, 20);
  const path = `/hook-${++hooks}`;
  const hook = await addHook(shop.ask, receiver.url + path, events);
  const heard = (): ReceivedNews[] => receiver.news.filter((news) => news.path === path);
  return { shop, hook, path, heard };
};
const heardAll = (heard: () => ReceivedNews[], count: number) => until(heard, (news) => news.length >= count);

describe('an outgoing webhook', () => {
  it('is shown with its secret once, which lies nowhere in the open', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const url = `${receiver.url}/new?key=of-theirs`;
    const made = await ask<{ id: string; secret: string }>('POST', PATH, { url, events: ['order.paid', 'order.paid'] });
    const { secret, ...shown } = made.body.data;
    const state = { status: 'active', failures: 0, waiting: 0, last: null, created_at: NOW };
    expect([made.status, shown]).toEqual([201, { id: expect.any(String), url, events: ['order.paid'], ...state }]);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(await hooksOf(ask)).toEqual([shown]);
    const kept = await commerce.database.query('SELECT * FROM webhook_endpoint WHERE store_id = $1', [storeId]);
    const told = await commerce.database.query('SELECT * FROM audit_log WHERE tenant_id = $1', [storeId]);
    expect(JSON.stringify([kept, told])).not.toContain(secret);
    expect(JSON.stringify(told)).not.toContain('of-theirs');
    expect(commerce.lines.join('\n')).not.toContain(secret);
  });

  it('hears of an order in order, each once, signed', async () => {
    const { shop, hook, heard } = await shopWithHook();
    const order = await shop.place(shop.cart(2));
    await heardAll(heard, 1);
    await shop.pay(order.id);
    await heardAll(heard, 2);
    await shop.ship(order, [2], { courier: 'jne', waybill: 'JNE0009876' });
    const news = await heardAll(heard, 3);
    expect(news.map(({ event }) => event)).toEqual(['order.created', 'order.paid', 'order.shipped']);
    expect(news.map((each) => isSigned(hook.secret, each))).toEqual([true, true, true]);
    expect(news.map(({ timestamp }) => Number(timestamp))).toEqual(Array(3).fill(Date.parse(NOW)));
    expect(new Set(news.map(({ eventId }) => eventId)).size).toBe(3);
    const [first] = news;
    const body = JSON.parse(first?.body ?? '') as { data: Order };
    expect(body).toEqual({ id: first?.eventId, event: 'order.created', created_at: NOW, data: expect.any(Object) });
    expect(body.data).toMatchObject({ id: order.id, number: order.number, total: 20_000 });
    const [listed] = await until(
      () => hooksOf(shop.ask),
      ([only]) => only?.waiting === 0,
    );
    expect(listed).toMatchObject({ failures: 0, last: { at: NOW, status: 204, error: null } });
  });

  it('hears of what it asked for, and of nothing that was before it', async () => {
    const shop = await shippingShop(commerce, 20);
    const former = await shop.place(shop.cart(1));
    commerce.clock.advance(1000);
    const path = `/hook-${++hooks}`;
    const hook = await addHook(shop.ask, receiver.url + path, ['order.created', 'order.cancelled']);
    await shop.pay(former.id);
    const order = await shop.place(shop.cart(1));
    await shop.ask('PUT', `/order/${order.id}/status`, { status: 'cancelled', reason: 'x' });
    await until(async () => (await deliveriesOf(commerce, hook.id)).some(({ kind }) => kind === 'order.created'));
    await until(async () => (await deliveriesOf(commerce, hook.id)).every(({ state }) => state === 'delivered'));
    const heard = receiver.news.filter((news) => news.path === path).map(({ event, body }) => [event, numberIn(body)]);
    expect(heard).not.toContainEqual([expect.anything(), former.number]);
    expect(heard[0]).toEqual(['order.created', order.number]);
  });

  it('of which two jobs have changed places hears the former first', async () => {
    const { shop, hook, heard } = await shopWithHook(['order.created', 'order.paid']);
    const order = await shop.place(shop.cart(1));
    await heardAll(heard, 1);
    await commerce.database.query('DELETE FROM webhook_delivery WHERE hook_id = $1', [hook.id]);
    receiver.news.splice(0);
    // As if the job of the former had not run yet
    await shop.pay(order.id);
    const news = await heardAll(heard, 2);
    expect(news.map((each) => each.event)).toEqual(['order.created', 'order.paid']);
  });

  it('hears of stock and of withdrawals as they stand', async () => {
    const { shop, heard } = await shopWithHook(['stock.low']);
    const [variant] = shop.variants;
    const event = { eventId: uuidv7(), kind: 'stock.low', subjectId: variant ?? '', at: NOW, actor: 'test' } as const;
    const at = new Date(commerce.clock.now()).toISOString();
    await commerce.database.tx((tx) => announce(tx, shop.storeId, [{ ...event, at }]));
    const [news] = await heardAll(heard, 1);
    expect(JSON.parse(news?.body ?? '')).toEqual({
      ...{ id: event.eventId, event: 'stock.low', created_at: at },
      data: { id: variant, product_id: expect.any(String), sku: 'HAT-0', name: 'Hat 0', available: 20 },
    });
  });
});

const numberIn = (body: string): string => (JSON.parse(body) as { data: Order }).data.number;

describe('a receiver that fails', () => {
  it('gets the same event again under the same id, freshly signed, and what came after it when it was taken', async () => {
    const { shop, hook, path, heard } = await shopWithHook(['order.created']);
    receiver.at(path, failing);
    const first = await shop.place(shop.cart(1));
    await heardAll(heard, 1);
    commerce.clock.advance(1000);
    const second = await shop.place(shop.cart(1));
    await until(async () => (await deliveriesOf(commerce, hook.id)).length === 2);
    await until(async () => (await hooksOf(shop.ask))[0]?.failures === 1);
    expect((await hooksOf(shop.ask))[0]).toMatchObject({ waiting: 2, last: { status: 500, error: 'It answered 500' } });
    receiver.at(path, (_, response) => void response.writeHead(200).end());
    commerce.clock.advance(MINUTE);
    await lookForDue(commerce);
    const news = await heardAll(heard, 3);
    expect(news.map(({ body }) => numberIn(body))).toEqual([first.number, first.number, second.number]);
    expect(news[1]?.eventId).toBe(news[0]?.eventId);
    expect(news[1]?.body).toBe(news[0]?.body);
    expect(news[1]?.timestamp).not.toBe(news[0]?.timestamp);
    expect(news.every((each) => isSigned(hook.secret, each))).toBe(true);
    const done = [
      { kind: 'order.created', state: 'delivered', attempts: 2 },
      { kind: 'order.created', state: 'delivered', attempts: 1 },
    ];
    expect(
      await until(
        () => deliveriesOf(commerce, hook.id),
        (rows) => rows.every((row) => row.state !== 'waiting'),
      ),
    ).toEqual(done);
  });

  it('is given up after ten tries, and hears of the next', async () => {
    const { shop, hook, path, heard } = await shopWithHook(['order.created']);
    receiver.at(path, failing);
    await shop.place(shop.cart(1));
    for (let tries = 1; tries <= 10; tries += 1) {
      await until(async () => (await hooksOf(shop.ask))[0]?.failures === tries);
      commerce.clock.advance(361 * MINUTE);
      await lookForDue(commerce);
    }
    expect(await deliveriesOf(commerce, hook.id)).toEqual([{ kind: 'order.created', state: 'given_up', attempts: 10 }]);
    receiver.at(path, (_, response) => void response.writeHead(202).end());
    await shop.place(shop.cart(1));
    expect(await heardAll(heard, 11)).toHaveLength(11);
    expect(
      await until(
        () => hooksOf(shop.ask),
        ([only]) => only?.waiting === 0,
      ),
    ).toMatchObject([{ failures: 0 }]);
  });

  it('is stopped by its fiftieth failure in a row, of which the members hear, and gets nothing more', async () => {
    const { shop, hook, path, heard } = await shopWithHook(['order.created']);
    receiver.at(path, failing);
    const receiverHost = new URL(receiver.url).host;
    await commerce.database.query('UPDATE webhook_endpoint SET failures = 49 WHERE id = $1', [hook.id]);
    await shop.place(shop.cart(1));
    const [stopped] = await until(
      () => hooksOf(shop.ask),
      ([only]) => only?.status === 'stopped',
    );
    expect(stopped).toMatchObject({ failures: 50, waiting: 0 });
    const told = { event: 'webhook.stopped', url: '/settings/webhooks', body: expect.stringContaining(receiverHost) };
    expect(await noticedOf(commerce, shop.storeId, told.event)).toEqual([told]);
    const before = heard().length;
    const next = await shop.place(shop.cart(1));
    await until(async () => {
      const jobs = `SELECT FROM commerce_api_jobs._private_jobs WHERE payload->>'subjectId' = $1 AND key LIKE 'event.told:%'`;
      const told = `SELECT FROM shop_event WHERE subject_id = $1`;
      const [waiting, events] = [
        await commerce.database.query(jobs, [next.id]),
        await commerce.database.query(told, [next.id]),
      ];
      return waiting.length === 0 && events.length > 0;
    });
    expect((await deliveriesOf(commerce, hook.id)).map(({ state }) => state)).toEqual(['given_up']);
    expect(heard()).toHaveLength(before);
  });

  it('that goes on after it was stopped and is stopped again is told again', async () => {
    const { shop, hook, path } = await shopWithHook(['order.created']);
    receiver.at(path, failing);
    for (const times of [1, 2]) {
      await commerce.database.query(`UPDATE webhook_endpoint SET status = 'active', failures = 49 WHERE id = $1`, [
        hook.id,
      ]);
      await shop.place(shop.cart(1));
      await until(
        () => hooksOf(shop.ask),
        ([only]) => only?.status === 'stopped',
      );
      expect(await toldOf(commerce, shop.storeId, 'webhook.stopped', times)).toHaveLength(times);
    }
  });

  it('cannot be signed for because the secret opens no more has failed, and its owner is told why', async () => {
    const { shop, hook, heard } = await shopWithHook(['order.created']);
    await commerce.database.query(`UPDATE webhook_endpoint SET secret_enc = 'v1.00000000.lost' WHERE id = $1`, [
      hook.id,
    ]);
    await shop.place(shop.cart(1));
    const [only] = await until(
      () => hooksOf(shop.ask),
      ([each]) => each?.last !== null,
    );
    const error = 'The secret cannot be read: remove the webhook and add it anew';
    expect(only).toMatchObject({ failures: 1, waiting: 1, last: { status: null, error } });
    expect(await deliveriesOf(commerce, hook.id)).toEqual([{ kind: 'order.created', state: 'waiting', attempts: 1 }]);
    expect(heard()).toEqual([]);
  });

  it('redirects, which is not followed', async () => {
    const { shop, path, heard } = await shopWithHook(['order.created']);
    receiver.at(path, (_, response) => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end());
    await shop.place(shop.cart(1));
    const [only] = await until(
      () => hooksOf(shop.ask),
      ([hook]) => hook?.last !== null,
    );
    expect(only?.last).toMatchObject({ status: 307, error: 'It redirects, which is not followed' });
    expect(heard()).toHaveLength(1);
    expect(receiver.news.filter(({ path: at }) => at === '/elsewhere')).toEqual([]);
  });

  it('or hangs holds only its own news', async () => {
    const { shop, path } = await shopWithHook(['order.created']);
    receiver.at(path, hanging);
    const other = `/hook-${++hooks}`;
    await addHook(shop.ask, receiver.url + other, ['order.created']);
    const order = await shop.place(shop.cart(1));
    const news = await until(
      () => receiver.news.filter((each) => each.path === other),
      (each) => each.length > 0,
    );
    expect(news.map(({ body }) => numberIn(body))).toEqual([order.number]);
    expect(receiver.news.filter((each) => each.path === path).length).toBeLessThanOrEqual(1);
  });
});

describe('adding a webhook', () => {
  it.each([
    ['this machine', 'https://localhost/hook'],
    ['a loopback address', 'https://127.0.0.2/hook'],
    ['a private network', 'https://10.1.2.3/hook'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data/'],
    ['an IPv6-mapped address', 'https://[::ffff:10.0.0.1]/hook'],
    ['a 6to4 address', 'https://[2002:a00:1::]/hook'],
    ['a NAT64 address', 'https://[64:ff9b::a00:1]/hook'],
    ['a link-local address', 'https://[fe80::1]/hook'],
    ['plain http', 'http://8.8.8.8/hook'],
    ['credentials', 'https://user:secret@8.8.8.8/hook'],
  ])('refuses %s', async (_, url) => {
    const { ask } = await ownStore(commerce);
    const message = 'url must be an https address that everybody can reach, without a password';
    expect(await ask('POST', PATH, { url, events: ['order.paid'] })).toEqual(invalid('url', message));
  });

  it.each([
    ['decimal', 'https://2130706434/hook'],
    ['octal', 'https://0177.0.0.2/hook'],
    ['hexadecimal', 'https://0x7f.0.0.2/hook'],
  ])('refuses a %s address as no address at all', async (_, url) => {
    const { ask } = await ownStore(commerce);
    const answer = await ask('POST', PATH, { url, events: ['order.paid'] });
    expect(answer).toEqual(invalid('url', 'url must be a valid URL'));
  });

  it('refuses an event that nobody is told of', async () => {
    const { ask } = await ownStore(commerce);
    const message = `events[1] must be one of ${ORDER_EVENTS.join(', ')}, stock.low, withdrawal.paid`;
    const wanted = { url: 'https://8.8.8.8/', events: ['order.paid', 'order.review'] };
    expect(await ask('POST', PATH, wanted)).toEqual(invalid('events.1', message));
  });

  it('is refused beyond twenty, also when many are added at once', async () => {
    const { ask } = await ownStore(commerce);
    const add = () => ask('POST', PATH, { url: `${receiver.url}/many`, events: ['order.paid'] });
    const answers = await Promise.all(Array.from({ length: 25 }, add));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 201)).toEqual(
      refused(409, 'too_many_webhooks', 'A store has at most 20 webhooks'),
    );
  });
});

it('a webhook of another store is not found, and its own is gone with what waits for it', async () => {
  const [mine, theirs] = [await shopWithHook(), await ownStore(commerce)];
  const path = `${PATH}/${mine.hook.id}`;
  expect(await theirs.ask('DELETE', path)).toEqual(refused(404, 'not_found', 'Webhook not found'));
  expect((await mine.shop.ask('DELETE', path)).status).toBe(200);
  expect(await hooksOf(mine.shop.ask)).toEqual([]);
});

it('webhooks, what waits for them and what is news to them are read by index', async () => {
  const { storeId } = await ownStore(commerce);
  expectNoSeqScan(await explain(commerce.database, WEBHOOKS, [storeId]));
  expectNoSeqScan(await explain(commerce.database, UP_TO, [storeId, 'x', NOW, uuidv7()]));
  const plan = await explain(commerce.database, DUE_HOOKS, [NOW]);
  expect(JSON.stringify(plan)).not.toMatch(/Seq Scan on webhook_/);
});
