import { until } from '@platform/testing';
import { ownStore, type Answered, type OwnStore } from '../../asked.fixture';
import type { Commerce } from '../../commerce.fixture';
import type { Order } from '../sales/orders/orders.dto';
import type { DigitalProduct } from './goods/goods.dto';
import type { LicenseKey } from './keys/keys.dto';

export const EMAIL = 'budi@shop.example';
export const BUYER = { name: 'Budi', phone: '6281234567890', email: EMAIL };
export const PDF = Buffer.from(`%PDF-1.7\n${'buku '.repeat(40)}`);

export const fileForm = (name: string, bytes: Buffer): FormData => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
};

/** A delivery as the tables have it. */
export interface Delivered {
  readonly id: string;
  readonly order_id: string;
  readonly order_item_id: string;
  readonly asset_id: string | null;
  readonly downloads: number;
  readonly max_downloads: number;
  readonly expires_at: Date;
  readonly revoked_for: string | null;
  readonly sent_at: Date | null;
}

/** A store that sells one digital product for 10,000. */
export interface DigitalShop extends OwnStore {
  readonly product: DigitalProduct;
  readonly variantId: string;
  /** Places an order of so many, and of `more`. */
  order(qty?: number, more?: object): Promise<Answered<Order>>;
  pay(order: Order): Promise<Order>;
  reverse(order: Order): Promise<Answered<Order>>;
  /** The states of all keys, by the text that is shown of them. */
  keys(state?: string): Promise<string[]>;
  deliveries(order?: Order): Promise<Delivered[]>;
  /** Waits until the links of an order were sent. */
  delivered(order: Order): Promise<Delivered[]>;
}

const DELIVERIES = `SELECT id, order_id, order_item_id, asset_id, downloads, max_downloads, expires_at, revoked_for, sent_at
  FROM digital_delivery WHERE store_id = $1 AND ($2::uuid IS NULL OR order_id = $2) ORDER BY id`;

export interface Sells {
  readonly keys?: readonly string[];
  readonly files?: number;
  readonly delivery?: object;
  readonly buyer?: object;
}

/** The product with its files and keys, on sale. */
const productOf = async ({ ask }: OwnStore, { keys, files = keys ? 0 : 1, delivery = {} }: Sells) => {
  const terms = { ...delivery, ...(keys && { needs_key: true }) };
  const asked = { name: 'Buku Nusa', price: 10_000, status: 'active', delivery: terms };
  const product = (await ask<DigitalProduct>('POST', '/digital-store', asked)).body.data;
  const path = `/digital-store/${product.id}`;
  for (let at = 0; at < files; at += 1) await ask('POST', `${path}/files`, fileForm(`buku ${at}.pdf`, PDF));
  if (keys && keys.length > 0) await ask('POST', `${path}/license-keys`, { keys });
  return { product, path };
};

/** A new store that sells it. */
export const digitalShop = async (commerce: Commerce, sells: Sells = {}): Promise<DigitalShop> => {
  const { buyer = BUYER } = sells;
  const store = await ownStore(commerce);
  const { ask, storeId } = store;
  const { product, path } = await productOf(store, sells);
  const variantId = product.variants[0]?.id ?? '';
  const deliveries = (order?: Order) => commerce.database.query<Delivered>(DELIVERIES, [storeId, order?.id ?? null]);
  const paying = (order: Order, more: object) =>
    ask<Order>('POST', '/order/change_payment_status', { order_id: order.id, ...more });
  return {
    ...store,
    ...{ product, variantId, deliveries },
    order: (qty = 1, more = {}) =>
      ask('POST', '/order', {
        contact: buyer,
        payment_method: 'cash',
        items: [{ variant_id: variantId, qty }],
        ...more,
      }),
    pay: async (order) => (await paying(order, { status: 'paid', method: 'cash' })).body.data,
    reverse: (order) => paying(order, { status: 'unpaid' }),
    keys: async (state) => {
      const query = state === undefined ? '' : `&state=${state}`;
      const { data } = (await ask<LicenseKey[]>('GET', `${path}/license-keys?limit=200${query}`)).body;
      return data.map(({ key, state: now }) => `${key.slice(4)} ${now}`).toSorted();
    },
    delivered: (order) =>
      until(
        () => deliveries(order),
        (rows) => rows.length > 0 && rows.every(({ sent_at }) => sent_at !== null),
      ),
  };
};

const LINK = /https:\/\/shop\.example(\/download\/[\w.-]+)/g;

/** Where the pages to which a message links lead on. */
export const linksIn = (text = ''): string[] =>
  [...text.matchAll(LINK)].map(([, path = '']) => `/api/digital-store${path}`);

/** The page that leads to a download. */
export const pageOf = (link = ''): string => link.replace('/api/digital-store', '');
