import { createHash } from 'node:crypto';
import { defaultPixel, startGraphSandbox } from '@platform/testing/graph';
import { expectNoSeqScan, explain, until, useRunning } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { invalid, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { startGoogle, GOOGLE, TIKTOK } from '../../../clients/pixel.standins.fixture';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import type { OrderShop } from '../../sales/orders/orders.fixture';
import { DUE_EVENTS } from './pixel.sends';
import type { Pixel, PixelEventRow, TestAnswer } from './pixels.dto';
import { visitedShop, VISITOR } from './pixels.fixture';
import { PIXELS } from './pixels.sql';
import { browserPurchased, TOLD_PIXELS } from './purchases';

const MINUTE = 60_000;
const graph = useRunning(async () => {
  const sandbox = await startGraphSandbox({ port: 0, pixels: { now: () => new Date(NOW) } });
  return Object.assign(sandbox, { stop: () => sandbox.close() });
});
const google = useRunning(startGoogle);
const commerce = useRunning(() => startCommerce({ PIXEL_META_URL: graph.url, PIXEL_GOOGLE_URL: google.url }));
beforeEach(() => {
  graph.pixels.faults.splice(0);
  graph.pixels.received.splice(0);
});

const META = { kind: 'meta', pixel_ref: defaultPixel.id, token: defaultPixel.token, events: ['page_view', 'purchase'] };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const addPixel = async (ask: Ask, body: object = META): Promise<Pixel> =>
  (await ask<Pixel>('POST', '/pixel', body)).body.data;
const eventsOf = async (ask: Ask, id: string): Promise<PixelEventRow[]> =>
  (await ask<PixelEventRow[]>('GET', `/pixel/${id}/events`)).body.data;
const settled = (ask: Ask, id: string): Promise<PixelEventRow[]> =>
  until(
    () => eventsOf(ask, id),
    (events) => events.length > 0 && events.every(({ status }) => status !== 'waiting'),
  );

const shopWithPixel = async (body: object = META) => {
  const shop = await visitedShop(commerce, 20);
  return { shop, pixel: await addPixel(shop.ask, body) };
};
const bought = async (shop: OrderShop, orderNumber: string, more: object = {}) => {
  const told = { storeId: shop.storeId, orderNumber, visitorId: VISITOR, eventId: `of ${orderNumber}`, consent: true };
  const at = commerce.clock.now();
  await commerce.database.tx((tx) => browserPurchased(tx, { ...told, at, ...more }));
};
/** The job of the last `order.paid` has run. */
const observed = (orderId: string) =>
  until(async () => {
    const jobs = `SELECT FROM commerce_api_jobs._private_jobs WHERE payload->>'subjectId' = $1 AND key LIKE 'event.told:%'`;
    const told = `SELECT FROM shop_event WHERE subject_id = $1 AND kind = 'order.paid'`;
    const [waiting, events] = [
      await commerce.database.query(jobs, [orderId]),
      await commerce.database.query(told, [orderId]),
    ];
    return waiting.length === 0 && events.length > 0;
  });

/** What the page of a paid order sends. */
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';

it('what the browser tells of a purchase reaches the network under its event id when the order is paid, without the path of the page', async () => {
  const { shop, pixel } = await shopWithPixel();
  const order = await shop.place(shop.cart(1));
  const event = {
    event: 'purchase',
    event_id: 'BROWSER-1',
    visitor_id: VISITOR,
    consent: true,
    store_slug: shop.storeId,
  };
  const page = { url: 'https://toko.example/checkout/secret-token?x=1', data: { order_number: order.number } };
  const headers = { 'content-type': 'application/json', 'user-agent': PHONE };
  const tell = () =>
    fetch(`${commerce.url}/api/tracking/event`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...event, ...page }),
    });
  expect((await tell()).status).toBe(202);
  expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
  await shop.pay(order.id, {});
  expect((await settled(shop.ask, pixel.id)).map(({ status }) => status)).toEqual(['sent']);
  expect((await tell()).status).toBe(202);
  expect(graph.pixels.received.map(({ event }) => [event.event_id, event.event_source_url])).toEqual([
    ['BROWSER-1', 'https://toko.example'],
  ]);
});

describe('a pixel', () => {
  it('is kept with its token sealed, which nobody is shown', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const made = await addPixel(ask, { ...META, events: ['purchase', 'purchase'] });
    const shown = { kind: 'meta', pixel_ref: META.pixel_ref, events: ['purchase'], token_set: true };
    expect(made).toEqual({ id: expect.any(String), ...shown, created_at: NOW, updated_at: NOW });
    expect((await ask('GET', '/pixel')).body.data).toEqual([made]);
    const change = (body: object) => ask<Pixel>('PUT', `/pixel/${made.id}`, { ...META, token: undefined, ...body });
    expect((await change({ events: ['checkout'] })).body.data).toEqual({ ...made, events: ['checkout'] });
    const kept = await commerce.database.query('SELECT * FROM pixel WHERE store_id = $1', [storeId]);
    const told = await commerce.database.query('SELECT * FROM audit_log WHERE tenant_id = $1', [storeId]);
    expect(JSON.stringify([kept, told])).not.toContain(META.token);
    expect(commerce.lines.join('\n')).not.toContain(META.token);
  });

  it('is one of its kind and id in a store', async () => {
    const { ask } = await ownStore(commerce);
    await addPixel(ask);
    expect(await ask('POST', '/pixel', META)).toEqual(refused(409, 'pixel_taken', 'The shop has this pixel already'));
    const other = await addPixel(ask, { ...META, pixel_ref: '600770000000002' });
    expect((await ask('PUT', `/pixel/${other.id}`, META)).status).toBe(409);
  });

  it('is one of at most twenty of a store, also when many are added at once', async () => {
    const { ask } = await ownStore(commerce);
    const add = (_: unknown, at: number) => ask('POST', '/pixel', { ...META, pixel_ref: String(600770000000100 + at) });
    const answers = await Promise.all(Array.from({ length: 25 }, add));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 201)).toEqual(
      refused(409, 'too_many_pixels', 'A store has at most 20 pixels'),
    );
  });

  it.each([
    ['meta', 'G-ABC123'],
    ['meta', '../me'],
    ['tiktok', '123'],
    ['google', '600770000000001'],
  ])('of %s cannot have the id %s', async (kind, pixel_ref) => {
    const { ask } = await ownStore(commerce);
    const { status, body } = await ask('POST', '/pixel', { ...META, kind, pixel_ref });
    expect([status, body.code]).toEqual([422, 'validation']);
  });

  it('cannot be told an event that there is not', async () => {
    const { ask } = await ownStore(commerce);
    const message = 'events[0] must be one of page_view, view_content, add_to_cart, checkout, purchase';
    expect(await ask('POST', '/pixel', { ...META, events: ['lead'] })).toEqual(invalid('events.0', message));
  });

  it('of another store is not found', async () => {
    const [mine, theirs] = [await shopWithPixel(), await ownStore(commerce)];
    const path = `/pixel/${mine.pixel.id}`;
    const missing = refused(404, 'not_found', 'Pixel not found');
    expect(await theirs.ask('PUT', path, META)).toEqual(missing);
    expect(await theirs.ask('DELETE', path)).toEqual(missing);
    expect(await theirs.ask('GET', `${path}/events`)).toEqual(missing);
    expect(await theirs.ask('POST', `${path}/test-event`, {})).toEqual(missing);
    expect((await mine.shop.ask('DELETE', path)).status).toBe(200);
    expect((await mine.shop.ask('GET', '/pixel')).body.data).toEqual([]);
  });
});

describe('a test event', () => {
  const tryOut = (ask: Ask, id: string, body: object = {}) => ask<TestAnswer>('POST', `/pixel/${id}/test-event`, body);

  it("gets the network's answer, counts for nothing there, and is kept", async () => {
    const { shop, pixel } = await shopWithPixel();
    const { status, body } = await tryOut(shop.ask, pixel.id, { test_event_code: 'TEST123' });
    expect([status, body.data]).toEqual([200, { taken: true, answer: expect.stringContaining('"events_received":1') }]);
    expect(graph.pixels.received).toMatchObject([{ test_event_code: 'TEST123', event: { event_name: 'TestEvent' } }]);
    expect(graph.pixels.counted()).toEqual([]);
    expect(await eventsOf(shop.ask, pixel.id)).toMatchObject([{ name: 'TestEvent', status: 'sent', attempts: 1 }]);
  });

  it('that the network refuses says why', async () => {
    const { shop, pixel } = await shopWithPixel({ ...META, token: 'a-wrong-token' });
    const { body } = await tryOut(shop.ask, pixel.id);
    expect(body.data).toEqual({ taken: false, answer: expect.stringContaining('"code":190') });
    expect(await eventsOf(shop.ask, pixel.id)).toMatchObject([{ status: 'refused', answer: body.data.answer }]);
  });

  it('needs a token, and a network that answers', async () => {
    const bare = await shopWithPixel({ ...META, token: undefined });
    const noToken = refused(409, 'token_missing', 'Give the pixel a token first');
    expect(await tryOut(bare.shop.ask, bare.pixel.id)).toEqual(noToken);
    const away = await shopWithPixel({ ...META, kind: 'tiktok', pixel_ref: TIKTOK.ref, token: TIKTOK.token });
    expect(await tryOut(away.shop.ask, away.pixel.id)).toEqual(
      refused(502, 'provider_error', 'tiktok is not connected'),
    );
    const down = await shopWithPixel();
    graph.pixels.faults.push({ status: 503, code: 2 });
    expect((await tryOut(down.shop.ask, down.pixel.id)).status).toBe(502);
  });
});

describe('a paid order whose buyer agreed', () => {
  it("is told each pixel once under the browser's event id, and of the buyer by hashes alone", async () => {
    const { shop, pixel } = await shopWithPixel();
    const second = await addPixel(shop.ask, { ...META, kind: 'google', pixel_ref: GOOGLE.ref, token: GOOGLE.token });
    const order = await shop.place({
      ...shop.cart(2),
      contact: { name: 'Budi', phone: '6281234567890', email: 'Budi@Example.com' },
    });
    await bought(shop, order.number, { url: 'https://toko.example/thanks', userAgent: 'a browser' });
    await shop.pay(order.id);
    const [told] = await settled(shop.ask, pixel.id);
    expect(told).toMatchObject({ name: 'Purchase', event_id: `of ${order.number}`, status: 'sent', attempts: 1 });
    await settled(shop.ask, second.id);
    const [{ event } = { event: {} }] = graph.pixels.received;
    expect(graph.pixels.received).toHaveLength(1);
    expect(event).toMatchObject({
      ...{ event_name: 'Purchase', event_id: `of ${order.number}`, action_source: 'website' },
      user_data: { em: [sha256('budi@example.com')], ph: [sha256('6281234567890')] },
      custom_data: { currency: 'IDR', value: 20_000, order_id: order.number },
    });
    const kept = await commerce.database.query('SELECT * FROM pixel_event WHERE store_id = $1', [shop.storeId]);
    expect(JSON.stringify([kept, graph.pixels.received, google.received])).not.toMatch(/81234567890|budi@example/i);
    // The browser and the order tell of it again
    await bought(shop, order.number, { eventId: 'another' });
    await jobQueue().enqueue(commerce.database, 'event.pixels', {
      ...{ storeId: shop.storeId, eventId: uuidv7(), kind: 'order.paid', subjectId: order.id, at: NOW, actor: 'test' },
    });
    await until(
      async () =>
        (
          await commerce.database.query(`SELECT FROM commerce_api_jobs._private_jobs j
      JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'event.pixels'`)
        ).length === 0,
    );
    expect(await eventsOf(shop.ask, pixel.id)).toHaveLength(1);
  });

  it('is told when the browser speaks after the payment', async () => {
    const { shop, pixel } = await shopWithPixel();
    const order = await shop.place(shop.cart(1));
    await shop.pay(order.id);
    await observed(order.id);
    expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
    await bought(shop, order.number);
    expect(await settled(shop.ask, pixel.id)).toMatchObject([{ event_id: `of ${order.number}`, status: 'sent' }]);
  });

  it('is told once, however many speak at one moment', async () => {
    const { shop, pixel } = await shopWithPixel();
    const order = await shop.place(shop.cart(1));
    await Promise.all([shop.pay(order.id), ...Array.from({ length: 10 }, () => bought(shop, order.number))]);
    await settled(shop.ask, pixel.id);
    await observed(order.id);
    expect(await eventsOf(shop.ask, pixel.id)).toHaveLength(1);
    expect(graph.pixels.received).toHaveLength(1);
  });
});

describe('somebody else who knows the number of an order', () => {
  const ofStranger = { visitorId: 'V2', eventId: 'foreign' };

  it('does not agree for its buyer', async () => {
    const { shop, pixel } = await shopWithPixel();
    const order = await shop.place(shop.cart(1));
    await bought(shop, order.number, ofStranger);
    await shop.pay(order.id);
    await observed(order.id);
    await bought(shop, order.number, ofStranger);
    expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
  });

  it('neither takes back what its buyer has agreed to nor gives the event another id', async () => {
    const { shop, pixel } = await shopWithPixel();
    const order = await shop.place(shop.cart(1));
    await bought(shop, order.number, ofStranger);
    await bought(shop, order.number);
    await bought(shop, order.number, { ...ofStranger, consent: false });
    await shop.pay(order.id);
    expect(await settled(shop.ask, pixel.id)).toMatchObject([{ event_id: `of ${order.number}`, status: 'sent' }]);
  });

  it('is whoever speaks of an order that came of no cart', async () => {
    const { shop, pixel } = await shopWithPixel();
    const { body } = await shop.ask<{ id: string; number: string }>('POST', '/order', shop.cart(1));
    await bought(shop, body.data.number);
    await shop.pay(body.data.id);
    await observed(body.data.id);
    expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
  });
});

describe('no network hears', () => {
  it.each<[string, object | undefined]>([
    ['without a word of the buyer', undefined],
    ['when they do not agree', { consent: false }],
  ])('of a paid order %s', async (_, word) => {
    const { shop, pixel } = await shopWithPixel();
    const order = await shop.place(shop.cart(1));
    if (word) await bought(shop, order.number, word);
    await shop.pay(order.id);
    await observed(order.id);
    expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
  });

  it('of one that its buyer has thought better of', async () => {
    const { shop, pixel } = await shopWithPixel();
    const order = await shop.place(shop.cart(1));
    await bought(shop, order.number);
    await bought(shop, order.number, { consent: false });
    await shop.pay(order.id);
    await observed(order.id);
    expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
  });

  it.each([
    ['that has no token', { ...META, token: undefined }],
    ['that wants no purchases', { ...META, events: ['page_view'] }],
  ])('by a pixel %s', async (_, body) => {
    const { shop, pixel } = await shopWithPixel(body);
    const order = await shop.place(shop.cart(1));
    await bought(shop, order.number);
    await shop.pay(order.id);
    await observed(order.id);
    expect(await eventsOf(shop.ask, pixel.id)).toEqual([]);
  });

  it("of another store's order", async () => {
    const [mine, theirs] = [await shopWithPixel(), await visitedShop(commerce, 5)];
    const order = await theirs.place(theirs.cart(1));
    await theirs.pay(order.id);
    await bought(mine.shop, order.number);
    expect(await eventsOf(mine.shop.ask, mine.pixel.id)).toEqual([]);
  });
});

describe('a network that', () => {
  const lookForDue = () => jobQueue().enqueue(commerce.database, 'pixel.due', {});
  const sold = async (shop: OrderShop) => {
    const order = await shop.place(shop.cart(1));
    await bought(shop, order.number);
    await shop.pay(order.id);
  };
  const after = (ask: Ask, id: string, attempts: number) =>
    until(
      () => eventsOf(ask, id),
      ([event]) => event?.attempts === attempts && event.answer !== null,
    );

  it('is away is told again later, the same', async () => {
    const { shop, pixel } = await shopWithPixel();
    graph.pixels.faults.push({ status: 500, code: 2 });
    await sold(shop);
    expect(await after(shop.ask, pixel.id, 1)).toMatchObject([
      { status: 'waiting', answer: expect.stringContaining('"code":2') },
    ]);
    commerce.clock.advance(MINUTE);
    await lookForDue();
    expect(await settled(shop.ask, pixel.id)).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect(graph.pixels.received).toHaveLength(1);
  });

  it('refuses is not told again, and its answer is kept', async () => {
    const { shop, pixel } = await shopWithPixel({ ...META, token: 'a-wrong-token' });
    await sold(shop);
    const [event] = await settled(shop.ask, pixel.id);
    expect(event).toMatchObject({ status: 'refused', attempts: 1, answer: expect.stringContaining('"code":190') });
    const listed = await shop.ask('GET', `/pixel/${pixel.id}/events?status=sent`);
    expect(listed).toEqual({
      ...succeeded(200, 'OK', []),
      body: expect.objectContaining({ data: [], meta: { next_cursor: null } }),
    });
  });

  it('cannot be told because the token opens no more is told later, and the answer says what to do', async () => {
    const { shop, pixel } = await shopWithPixel();
    await commerce.database.query(`UPDATE pixel SET token_enc = 'v1.00000000.lost' WHERE id = $1`, [pixel.id]);
    const test = await shop.ask('POST', `/pixel/${pixel.id}/test-event`, {});
    expect(test).toEqual(refused(409, 'token_missing', 'Give the pixel a token first'));
    await sold(shop);
    expect(await after(shop.ask, pixel.id, 1)).toMatchObject([
      { status: 'waiting', answer: 'The token cannot be read: give it anew' },
    ]);
    await shop.ask('PUT', `/pixel/${pixel.id}`, META);
    commerce.clock.advance(MINUTE);
    await lookForDue();
    expect(await settled(shop.ask, pixel.id)).toMatchObject([{ status: 'sent', attempts: 2 }]);
  });

  it('is away for ever is given up', async () => {
    const { shop, pixel } = await shopWithPixel();
    graph.pixels.faults.push(...Array.from({ length: 10 }, () => ({ status: 500, code: 2 })));
    await sold(shop);
    for (let attempts = 1; attempts < 10; attempts += 1) {
      await after(shop.ask, pixel.id, attempts);
      await until(async () => (await eventsOf(shop.ask, pixel.id))[0]?.status === 'waiting');
      commerce.clock.advance(481 * MINUTE);
      await lookForDue();
    }
    expect(await settled(shop.ask, pixel.id)).toMatchObject([{ status: 'given_up', attempts: 10 }]);
  });
});

it('pixels, who is told of a purchase and what is due are read by index', async () => {
  expectNoSeqScan(await explain(commerce.database, PIXELS, ['S1']));
  expectNoSeqScan(await explain(commerce.database, TOLD_PIXELS, ['S1']));
  expect(JSON.stringify(await explain(commerce.database, DUE_EVENTS, [NOW]))).not.toMatch(/Seq Scan on pixel_/);
});
