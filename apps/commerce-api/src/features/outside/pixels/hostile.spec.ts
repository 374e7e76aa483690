import { startHttpServer, until, useRunning } from '@platform/testing';
import { invalid, type Ask } from '../../../asked.fixture';
import { startGoogle, TIKTOK } from '../../../clients/pixel.standins.fixture';
import { startCommerce } from '../../../commerce.fixture';
import type { OrderShop } from '../../sales/orders/orders.fixture';
import type { Pixel, PixelEventRow } from './pixels.dto';
import { visitedShop, VISITOR } from './pixels.fixture';
import { browserPurchased } from './purchases';

/** A network that gives back what it was sent, with a sign that PostgreSQL keeps in no text. */
const echo = useRunning(() =>
  startHttpServer((request, response) => {
    response.writeHead(400).end(`{"message":"no \0 such token ${String(request.headers['access-token'])}"}`);
  }),
);
const google = useRunning(startGoogle);
const commerce = useRunning(() => startCommerce({ PIXEL_TIKTOK_URL: echo.url, PIXEL_GOOGLE_URL: google.url }));

const BODY = { kind: 'tiktok', pixel_ref: TIKTOK.ref, token: TIKTOK.token, events: ['purchase'] };
const GA = { kind: 'google', pixel_ref: 'G-ABC123DEF4' };
const shopWithPixel = async () => {
  const shop = await visitedShop(commerce, 20);
  return { shop, pixel: (await shop.ask<Pixel>('POST', '/pixel', BODY)).body.data };
};
const sold = async (shop: OrderShop) => {
  const { id, number: orderNumber } = await shop.place(shop.cart(1));
  const told = { storeId: shop.storeId, orderNumber, visitorId: VISITOR, eventId: `of ${orderNumber}`, consent: true };
  await commerce.database.tx((tx) => browserPurchased(tx, { ...told, at: commerce.clock.now() }));
  await shop.pay(id);
};
const settled = (ask: Ask, id: string) =>
  until(
    async () => (await ask<PixelEventRow[]>('GET', `/pixel/${id}/events`)).body.data,
    (events) => events.length > 0 && events.every(({ status }) => status !== 'waiting'),
  );

it('what a network says is kept without the token and without U+0000, and the event is not told again', async () => {
  const { shop, pixel } = await shopWithPixel();
  await sold(shop);
  const answer = '{"message":"no \uFFFD such token ***"}';
  expect(await settled(shop.ask, pixel.id)).toMatchObject([{ status: 'refused', attempts: 1, answer }]);
  expect((await shop.ask('POST', `/pixel/${pixel.id}/test-event`, {})).body.data).toEqual({ taken: false, answer });
  expect(commerce.lines.join('\n')).not.toContain(TIKTOK.token);
});

it('a pixel that becomes one of another network gives that one neither the token nor what waits for the former', async () => {
  const { shop, pixel } = await shopWithPixel();
  const change = (more: object) => shop.ask<Pixel>('PUT', `/pixel/${pixel.id}`, { ...BODY, token: undefined, ...more });
  expect((await change({ events: ['purchase', 'page_view'] })).body.data.token_set).toBe(true);
  await commerce.database.query(
    `INSERT INTO pixel_event (store_id, id, pixel_id, event_id, name, fact, next_at, created_at)
     VALUES ($1, uuidv7(), $2, 'E1', 'Purchase', '{}', $3, $3)`,
    [shop.storeId, pixel.id, new Date(commerce.clock.now().getTime() + 60_000)],
  );
  expect((await change(GA)).body.data).toMatchObject({ kind: 'google', token_set: false });
  expect(await settled(shop.ask, pixel.id)).toMatchObject([{ status: 'given_up', answer: 'The pixel has changed' }]);
  await sold(shop);
  expect(google.received).toEqual([]);
});

it.each(['kunci rahasia', 'トークン', 'a\nb', 'a\r\nx-other: 1', '\u0007', '😀'])(
  'a token that no request can carry is none: %j',
  async (token) => {
    const { shop } = await shopWithPixel();
    const refused = invalid('token', 'token must be as the network shows it: letters, digits and signs without spaces');
    expect(await shop.ask('POST', '/pixel', { ...BODY, pixel_ref: 'C0QDA8RC77U2TMR44LI9', token })).toEqual(refused);
  },
);
