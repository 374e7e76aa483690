import { expectNoSeqScan, explain, vacuumed } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { NOW } from '../../../commerce.fixture';
import { ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { buyerOf, orderShop, readyBasket, somebody, useCheckout } from '../../checkout/checkout.fixture';
import type { Funnel, SourceRow } from './visits.dto';
import { VISIT_STATEMENTS } from './visits.sql';

const commerce = useCheckout();
const PHONE = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
};
const tell = ({ storeId }: Pick<OwnStore, 'storeId'>, more: object = {}, headers: Record<string, string> = PHONE) =>
  buyerOf(commerce)(
    'POST',
    '/tracking/event',
    {
      ...{
        event: 'page_view',
        event_id: uuidv7(),
        visitor_id: 'V1',
        url: 'https://toko.example/',
        store_slug: storeId,
        consent: true,
      },
      ...more,
    },
    headers,
  );
const sources = async ({ ask }: Pick<OwnStore, 'ask'>) =>
  (await ask<SourceRow[]>('GET', '/tracking/sources')).body.data;
const funnel = async ({ ask }: Pick<OwnStore, 'ask'>) => (await ask<Funnel>('GET', '/tracking/funnel')).body.data;
const none = { visits: 0, anonymous: 0, chats: 0, orders: 0, revenue: 0 };
const kept = async ({ storeId }: Pick<OwnStore, 'storeId'>) =>
  commerce.database.query<{ n: number }>(
    'SELECT (SELECT count(*)::int FROM visit WHERE store_id = $1) + (SELECT count(*)::int FROM visit_event WHERE store_id = $1) AS n',
    [storeId],
  );

describe('an event of a visitor', () => {
  it('begins a visit from the source that the address names, once for its id, also of fifty at once', async () => {
    const shop = await ownStore(commerce);
    const event = { event_id: 'E1', url: 'https://toko.example/?utm_source=Instagram&utm_medium=bio' };
    const accepted = succeeded(202, 'Event accepted', { accepted: true });
    const answers = await Promise.all(Array.from({ length: 50 }, () => tell(shop, event)));
    expect(answers).toEqual(answers.map(() => accepted));
    expect(await sources(shop)).toEqual([{ ...none, source: 'instagram', visits: 1 }]);
  });

  it('goes on with the visit for half an hour, and each step counts once a visit', async () => {
    const shop = await ownStore(commerce);
    const steps = ['page_view', 'view_content', 'view_content', 'add_to_cart', 'view_content'];
    await Promise.all(steps.map((event) => tell(shop, { event })));
    const counts = async () => (await funnel(shop)).steps.map(({ count }) => count);
    expect(await counts()).toEqual([1, 1, 1, 0, 0, 0]);
    await tell(shop, { event: 'view_content', utm: { source: 'tiktok' } });
    expect(await counts()).toEqual([2, 2, 1, 0, 0, 0]);
    expect((await sources(shop)).map(({ source, visits }) => [source, visits])).toEqual([
      ['direct', 1],
      ['tiktok', 1],
    ]);
  });

  it('of somebody who did not agree raises one counter and keeps nothing', async () => {
    const shop = await ownStore(commerce);
    await tell(shop, { consent: false, utm: { source: 'fb' }, data: { a: 1 } });
    expect(await sources(shop)).toEqual([{ ...none, source: 'fb', anonymous: 1 }]);
    expect(await kept(shop)).toEqual([{ n: 0 }]);
  });

  it('is remembered without its data, and only where it has counted', async () => {
    const shop = await ownStore(commerce);
    for (const event_id of ['E1', 'E2', 'E3']) await tell(shop, { event_id, data: { a: 1 } });
    const rows = await commerce.database.query('SELECT event_id, data FROM visit_event WHERE store_id = $1', [
      shop.storeId,
    ]);
    expect(rows).toEqual([{ event_id: 'E1', data: null }]);
  });

  it('that has counted counts nothing when it is told again after its visit', async () => {
    const shop = await ownStore(commerce);
    await tell(shop, { event_id: 'E1' });
    await commerce.database.query(`UPDATE visit SET last_at = last_at - interval '1 hour' WHERE store_id = $1`, [
      shop.storeId,
    ]);
    await tell(shop, { event_id: 'E1' });
    expect(await sources(shop)).toEqual([{ ...none, source: 'direct', visits: 1 }]);
  });

  it('begins at most 20,000 visits of a store a day: beyond them one counter rises, and visits that go on go on', async () => {
    const shop = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO source_daily (store_id, day, source, visits) VALUES ($1, '2026-03-01', 'fb', 19999)`,
      [shop.storeId],
    );
    for (const visitor_id of ['V1', 'V2', 'V3']) await tell(shop, { visitor_id });
    await tell(shop, { visitor_id: 'V1', event: 'view_content' });
    await tell(shop, { visitor_id: 'V1', utm: { source: 'fb' } });
    expect(await sources(shop)).toEqual([
      { ...none, source: 'fb', visits: 19_999, anonymous: 1 },
      { ...none, source: 'direct', visits: 1, anonymous: 2 },
    ]);
    expect((await funnel(shop)).steps.map(({ count }) => count)).toEqual([20_000, 1, 0, 0, 0, 0]);
    expect(await kept(shop)).toEqual([{ n: 3 }]);
  });

  it('of a program is accepted and not counted', async () => {
    const shop = await ownStore(commerce);
    for (const agent of ['Googlebot/2.1', 'curl/8.5.0', ''])
      expect((await tell(shop, {}, { 'user-agent': agent })).status).toBe(202);
    expect(await sources(shop)).toEqual([]);
  });

  it('is refused for a shop that there is not, when it is too large, and when one address sends too many', async () => {
    const shop = await ownStore(commerce);
    expect(await tell({ storeId: 'no-such-shop' })).toEqual(refused(404, 'not_found', 'Store not found'));
    expect((await tell(shop, { data: { text: 'x'.repeat(2100) } })).status).toBe(422);
    expect((await tell(shop, { data: { text: 'x'.repeat(4200) } })).status).toBe(413);
    expect((await tell(shop, { event: 'steal' })).status).toBe(422);
    expect((await tell(shop, { url: 'http://xn--a/' })).status).toBe(422);
    const address = somebody();
    const many = await Promise.all(Array.from({ length: 125 }, () => tell(shop, {}, { ...PHONE, ...address })));
    expect(many.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

it('an order is attributed to the last visit of its visitor that did not come by itself, and its revenue goes down with what is given back', async () => {
  const shop = await orderShop(commerce, 9);
  await tell(shop, { visitor_id: 'V9', utm: { source: 'google', medium: 'cpc' } });
  await tell(shop, { visitor_id: 'V9' });
  const { place } = await readyBasket(commerce, shop, [1], { store_slug: shop.storeId, visitor_id: 'V9' });
  expect((await place(10_000)).status).toBe(201);
  const [order] = (await shop.ask<{ id: string; attribution: object }[]>('GET', '/order')).body.data;
  expect(order?.attribution).toEqual({
    ...{ source: 'google', medium: 'cpc', campaign: null, content: null, term: null, tracker_id: null, at: NOW },
  });
  const pay = (status: string) =>
    shop.ask('POST', '/order/change_payment_status', { order_id: order?.id, status, method: 'cash' });
  await pay('paid');
  expect(await sources(shop)).toEqual([{ ...none, source: 'google', visits: 1, orders: 1, revenue: 10_000 }]);
  expect(await funnel(shop)).toMatchObject({ conversion_bp: 10_000 });
  await pay('unpaid');
  expect(await sources(shop)).toEqual([{ ...none, source: 'google', visits: 1, orders: 1 }]);
});

it('sources and funnel of a store with many days and orders of others are read by index', async () => {
  const { storeId } = await ownStore(commerce);
  await commerce.database.query(
    `INSERT INTO source_daily (store_id, day, source, visits) SELECT $1, '2026-03-01'::date - d, 's' || s, 1
     FROM generate_series(1, 300) d, generate_series(1, 40) s`,
    [(await ownStore(commerce)).storeId],
  );
  await vacuumed(commerce.database, 'source_daily');
  for (const text of [VISIT_STATEMENTS.sources, VISIT_STATEMENTS.funnel])
    expectNoSeqScan(await explain(commerce.database, text, [storeId, '2026-02-01', '2026-03-01']));
});
