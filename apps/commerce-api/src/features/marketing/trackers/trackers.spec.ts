import { explain, expectNoSeqScan } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { NOW } from '../../../commerce.fixture';
import { auditedIn, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { orderShop, readyBasket, useCheckout, CONTACT } from '../../checkout/checkout.fixture';
import { Tally } from '../counting/public';
import { linkOpened, ShortLinks } from './public';
import { CLICKS, destinationOf } from './short.links';
import type { Tracker, TrackerClicks } from './trackers.dto';
import { TRACKER_STATEMENTS, trackerListing } from './trackers.sql';

const commerce = useCheckout();
const PHONE =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';
const BOTS = [
  undefined,
  '',
  'facebookexternalhit/1.1',
  'WhatsApp/2.23.20.0',
  'Googlebot/2.1',
  'curl/8.5.0',
  'python-requests/2.31',
];

const linksOf = () => {
  const { database, clock } = commerce;
  const clicks = new Tally({ database, clock }, CLICKS);
  return { links: new ShortLinks(database, clicks), stop: () => clicks.stop() };
};
const create = async ({ ask }: Pick<OwnStore, 'ask'>, more: object = {}): Promise<Tracker> => {
  const { status, body } = await ask<Tracker>('POST', '/tracker', { target: 'https://wa.me/6281234567890', ...more });
  expect(status).toBe(201);
  return body.data;
};
const totals = async ({ ask }: Pick<OwnStore, 'ask'>, id: string) => {
  const { clicks, chats, orders, revenue } = (await ask<Tracker>('GET', `/tracker/${id}`)).body.data;
  return { clicks, chats, orders, revenue };
};
const opened = (storeId: string, code: string, id: string, phone = CONTACT.phone) =>
  commerce.database.tx((tx) => linkOpened(tx, { storeId, code, id, phone, chatId: 'C1', at: new Date(NOW) }));

describe('a short link', () => {
  it('is created, changed, listed and deleted, and every write is in the audit log', async () => {
    const shop = await ownStore(commerce);
    const code = uuidv7().replaceAll('-', '').slice(-16);
    const utm = { source: 'instagram', campaign: 'lebaran' };
    const made = await shop.ask<Tracker>('POST', '/tracker', { target: 'https://toko.example/', utm, code });
    const { id } = made.body.data;
    const none = { clicks: 0, chats: 0, orders: 0, revenue: 0 };
    const link = { id, code, url: `https://shop.example/t/${code}`, target: 'https://toko.example/', utm, ...none };
    expect(made).toEqual(succeeded(201, 'Short link created', link));
    const changed = { ...link, target: 'https://toko.example/baru' };
    expect(await shop.ask('PUT', `/tracker/${id}`, { target: changed.target })).toEqual(
      succeeded(200, 'Short link updated', changed),
    );
    expect((await shop.ask('GET', '/tracker?q=baru')).body.data).toEqual([changed]);
    expect(await shop.ask('DELETE', `/tracker/${id}`)).toEqual(succeeded(200, 'Short link deleted', null));
    expect(await shop.ask('GET', `/tracker/${id}`)).toEqual(refused(404, 'not_found', 'Short link not found'));
    expect(await auditedIn(commerce, shop.storeId)).toEqual([
      'marketing.write tracker: code, id, target, utm',
      'marketing.write tracker: target',
      'marketing.write tracker: code, id, target, utm',
    ]);
  });

  it('has a code that nobody else has, of twenty who ask at once, and that stays with its store when it is deleted', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const body = { target: 'https://a.example/', code: uuidv7().replaceAll('-', '').slice(-16) };
    const asked = Array.from({ length: 20 }, (_, at) =>
      (at % 2 ? mine : theirs).ask<Tracker>('POST', '/tracker', body),
    );
    const answers = await Promise.all(asked);
    const taken = refused(409, 'code_taken', 'The code is taken');
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array.from({ length: 19 }, () => taken));
    const at = answers.findIndex(({ status }) => status === 201);
    const [owner, other] = at % 2 ? [mine, theirs] : [theirs, mine];
    expect((await owner.ask('DELETE', `/tracker/${answers[at]?.body.data.id}`)).status).toBe(200);
    expect(await other.ask('POST', '/tracker', body)).toEqual(taken);
    expect((await owner.ask('POST', '/tracker', body)).status).toBe(201);
  });

  it('is one of at most 5,000 of a store, also when some are added at once', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO tracker_link (store_id, id, code, target, created_at, updated_at)
       SELECT $1, uuidv7(), 'c' || n, 'https://a.example/', $2, $2 FROM generate_series(1, 4999) n`,
      [storeId, NOW],
    );
    const add = () => ask('POST', '/tracker', { target: 'https://a.example/' });
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toEqual(
      refused(409, 'too_many_trackers', 'A store has at most 5000 short links'),
    );
  });

  it('that is deleted gives back the code that its store gave up first, beyond 5,000 such', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const tag = uuidv7().replaceAll('-', '').slice(-10);
    await commerce.database.query(
      `INSERT INTO global_key (kind, value, store_id, ref_id, given_up_at)
       SELECT 'tracker', $2 || n, $1, '', $3::timestamptz - interval '1 day' + n * interval '1 second' FROM generate_series(1, 5000) n`,
      [mine.storeId, tag, NOW],
    );
    const { id } = await create(mine);
    expect((await mine.ask('DELETE', `/tracker/${id}`)).status).toBe(200);
    const ask = (code: string) => theirs.ask('POST', '/tracker', { target: 'https://a.example/', code });
    expect((await ask(`${tag}1`)).status).toBe(201);
    expect(await ask(`${tag}2`)).toEqual(refused(409, 'code_taken', 'The code is taken'));
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://a@evil.example',
    'tel:+62811',
  ])('opens web pages alone: %j is refused', async (target) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', '/tracker', { target })).toMatchObject({
      status: 422,
      body: { errors: { target: [expect.any(String)] } },
    });
    const { id } = await create({ ask });
    expect((await ask('PUT', `/tracker/${id}`, { target })).status).toBe(422);
  });

  it('of another store is not found', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const { id } = await create(mine);
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/clicks'],
    ] as const)
      expect(await theirs.ask(method, `/tracker/${id}${path}`, method === 'PUT' ? {} : undefined)).toEqual(
        refused(404, 'not_found', 'Short link not found'),
      );
  });
});

describe('a click', () => {
  it('is counted of people alone, exactly, of 500 at once over two tallies, on the day of the store', async () => {
    const shop = await ownStore(commerce);
    const { id, code } = await create(shop);
    const two = [linksOf(), linksOf()] as const;
    const people = Array.from({ length: 500 }, (_, at) => two[at % 2 ? 1 : 0].links.follow(code, PHONE));
    const bots = BOTS.map((agent) => two[0].links.follow(code, agent));
    await Promise.all([...people, ...bots]);
    await Promise.all(two.map(({ stop }) => stop()));
    expect(await totals(shop, id)).toEqual({ clicks: 500, chats: 0, orders: 0, revenue: 0 });
    const { data } = (await shop.ask<TrackerClicks>('GET', `/tracker/${id}/clicks`)).body;
    expect([data.days.length, data.days.at(-1)]).toEqual([
      30,
      { day: '2026-03-01', clicks: 500, chats: 0, orders: 0, revenue: 0 },
    ]);
  });

  it('leads to a message that ends in the code, or to a page that is told from where', () => {
    const utm = { source: 'ig', campaign: 'a b' };
    expect(destinationOf({ code: 'abcd', target: 'https://wa.me/62811?text=Halo', utm })).toBe(
      'https://wa.me/62811?text=Halo+%5B%23abcd%5D',
    );
    expect(destinationOf({ code: 'abcd', target: 'https://toko.example/?a=1', utm })).toBe(
      'https://toko.example/?a=1&utm_source=ig&utm_campaign=a+b&utm_id=abcd',
    );
  });
});

describe('a message that a short link began', () => {
  it('is one click, one chat and one order, also when it is delivered again, and its contact has the source', async () => {
    const shop = await orderShop(commerce, 9);
    const link = await create(shop, { utm: { source: 'Instagram' } });
    const { links, stop } = linksOf();
    expect(await links.follow(link.code, PHONE)).toContain(`%5B%23${link.code}%5D`);
    await stop();
    const told = await Promise.all(
      Array.from({ length: 5 }, () => opened(shop.storeId, link.code.toUpperCase(), 'link:M1')),
    );
    expect(told.filter(Boolean)).toHaveLength(1);
    const order = (await shop.ask<{ id: string; attribution: object }>('POST', '/order', shop.cart(1))).body.data;
    const nothing = { medium: null, campaign: null, content: null, term: null };
    expect(order.attribution).toEqual({ source: 'instagram', ...nothing, tracker_id: link.id, at: NOW });
    const [contact] = (await shop.ask<{ source: string }[]>('GET', '/contact')).body.data;
    expect(contact?.source).toBe('Instagram');
    expect(await totals(shop, link.id)).toEqual({ clicks: 1, chats: 1, orders: 1, revenue: 0 });
    const pay = (status: string) =>
      shop.ask('POST', '/order/change_payment_status', { order_id: order.id, status, method: 'cash' });
    await pay('paid');
    expect(await totals(shop, link.id)).toEqual({ clicks: 1, chats: 1, orders: 1, revenue: 10_000 });
    await pay('unpaid');
    expect(await totals(shop, link.id)).toEqual({ clicks: 1, chats: 1, orders: 1, revenue: 0 });
  });

  it('gives a contact who was known by nothing but the chat its source, and leaves one that somebody wrote down', async () => {
    const shop = await ownStore(commerce);
    const { code } = await create(shop, { utm: { source: 'tiktok' } });
    const post = (phone: string, source: string) =>
      shop.ask<{ id: string }>('POST', '/contact', { name: 'A', phone, source });
    await post('62811000001', 'chat');
    await post('62811000002', 'pameran');
    await opened(shop.storeId, code, 'link:1', '62811000001');
    await opened(shop.storeId, code, 'link:2', '62811000002');
    const sources = await commerce.database.query(`SELECT source FROM contact WHERE store_id = $1 ORDER BY source`, [
      shop.storeId,
    ]);
    expect(sources).toEqual([{ source: 'pameran' }, { source: 'tiktok' }]);
  });

  it('of another store, with a code that nobody has, or a week ago leads to nothing', async () => {
    const [shop, theirs] = [await orderShop(commerce, 9), await ownStore(commerce)];
    const link = await create(shop);
    expect(await opened(theirs.storeId, link.code, 'link:1')).toBe(false);
    expect(await opened(shop.storeId, 'nobody99', 'link:1')).toBe(false);
    const at = new Date(Date.parse(NOW) - 7 * 86_400_000);
    const old = { storeId: shop.storeId, code: link.code, id: 'link:2', phone: CONTACT.phone, chatId: 'C1', at };
    await commerce.database.tx((tx) => linkOpened(tx, old));
    expect((await shop.ask<{ attribution: null }>('POST', '/order', shop.cart(1))).body.data.attribution).toBeNull();
  });
});

it('the address of a cart attributes its order, and its `utm_id` names the link', async () => {
  const shop = await orderShop(commerce, 9);
  const link = await create(shop, { target: 'https://toko.example/' });
  const begun = { store_slug: shop.storeId, utm: { source: 'fb', medium: 'cpc', id: link.code } };
  const { place } = await readyBasket(commerce, shop, [1], begun);
  expect((await place(10_000)).status).toBe(201);
  const [order] = (await shop.ask<{ attribution: object }[]>('GET', '/order')).body.data;
  expect(order?.attribution).toMatchObject({ source: 'fb', medium: 'cpc', tracker_id: link.id });
  expect(await totals(shop, link.id)).toMatchObject({ orders: 1 });
});

it('short links, what they brought and their days are read by index', async () => {
  const { storeId } = await ownStore(commerce);
  const { rows, count } = trackerListing.statements(storeId, {});
  const byId = { text: TRACKER_STATEMENTS.byId, values: [storeId, uuidv7()] };
  const byDay = { text: TRACKER_STATEMENTS.byDay, values: [storeId, '2026-02-01', '2026-03-01', uuidv7()] };
  for (const { text, values } of [rows, count, byId, byDay])
    expectNoSeqScan(await explain(commerce.database, text, [...values]));
});
