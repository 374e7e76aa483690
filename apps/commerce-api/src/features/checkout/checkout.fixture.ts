import { useRunning } from '@platform/testing';
import { askDocumented, type Answered } from '../../asked.fixture';
import { startCommerce, type Commerce } from '../../commerce.fixture';
import { orderShop, type OrderShop } from '../sales/orders/orders.fixture';
import type { RateOption } from '../shipping/rates/public';
import type { CartView, StartedCart } from './sessions/sessions.dto';

/** The service behind a proxy that tells who calls: buyers of a test are many people. */
export const useCheckout = (more: Readonly<Record<string, string>> = {}): Commerce =>
  useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1', PAY_LINK_SECRET: 'a secret of links', ...more }));

let people = 0;
/** Another address each time, so that nobody is limited for what others do. */
export const somebody = (): Record<string, string> => {
  people += 1;
  return { 'x-forwarded-for': `10.${people >> 16}.${(people >> 8) & 255}.${people & 255}` };
};

/** Calls the service as a buyer without a token; every answer must be as its operation documents it. */
export const buyerOf =
  (commerce: Commerce, url: () => string = () => commerce.url) =>
  <Data = never>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered<Data>> =>
    askDocumented(commerce, url(), path, { method, body, headers: { ...somebody(), ...headers } });

export const CONTACT = { name: 'Budi', phone: '6281234567890' };

/** A cart of a shop, as its buyer has it. */
export interface Basket {
  readonly shop: OrderShop;
  /** `/checkout/session/<token>` */
  readonly path: string;
  readonly cart: StartedCart;
  place(expected_total: number, more?: object, headers?: Readonly<Record<string, string>>): Promise<Answered>;
}

/** A shop of hats for 10,000 as `orderShop` makes it, and a cart with so many of each, whose buyer is known by what they typed. */
export const basketOf = async (
  commerce: Commerce,
  shop: OrderShop,
  quantities: readonly number[],
  start: object = { store_slug: shop.storeId },
): Promise<Basket> => {
  const ask = buyerOf(commerce);
  const { items } = shop.cart(...quantities);
  const given = quantities.length === 0 ? {} : { items };
  const begun = await ask<StartedCart>('POST', '/checkout/session', { ...start, ...given });
  expect({ status: begun.status, code: begun.body.code }).toEqual({ status: 201, code: undefined });
  const path = `/checkout/session/${begun.body.data.token}`;
  return {
    ...{ shop, path, cart: begun.body.data },
    place: (expected_total, more = {}, headers = {}) =>
      ask('POST', `${path}/place`, { payment_method: 'cash', expected_total, ...more }, headers),
  };
};

/** The options to send a cart, as its buyer is told them. */
export const optionsOf = async (commerce: Commerce, path: string): Promise<readonly RateOption[]> =>
  (await buyerOf(commerce)<RateOption[]>('GET', `${path}/shipping-rates`)).body.data;

/** Its buyer fetches it from the shop. */
export const fetched = async (commerce: Commerce, { shop, path }: Basket): Promise<void> => {
  await shop.ask('POST', '/shipping/methods', { kind: 'pickup', name: 'Ambil di toko', cost: 0 });
  const [option] = await optionsOf(commerce, path);
  const chosen = { quote_id: option?.quote_id, option: option?.option };
  expect((await buyerOf(commerce)('PUT', `${path}/shipping`, chosen)).status).toBe(200);
};

/** The same with everything that an order needs: who buys, and that they fetch it. */
export const readyBasket = async (
  commerce: Commerce,
  shop: OrderShop,
  quantities: readonly number[],
  start?: object,
): Promise<Basket> => {
  const basket = await basketOf(commerce, shop, quantities, start);
  const named = await buyerOf(commerce)<CartView>('PUT', `${basket.path}/address`, { buyer: CONTACT });
  expect(named.status).toBe(200);
  await fetched(commerce, basket);
  return basket;
};

export { orderShop };
