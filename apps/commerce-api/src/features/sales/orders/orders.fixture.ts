import { askOf, type Answered, type OwnStore } from '../../../asked.fixture';
import { bearer, newStore, type Commerce } from '../../../commerce.fixture';
import type { DemoProduct } from '../../demo/seed/demo-shop.types';
import type { Tills } from './order-place';
import type { Order } from './orders.dto';

export const BUYER = { name: 'Budi', phone: '6281234567890' };

/** A store and its variants in the order of the given products. */
export interface OrderShop extends OwnStore {
  readonly variants: readonly string[];
  /** The body of an order of so many of each variant. */
  cart(...quantities: readonly number[]): { readonly contact: typeof BUYER; readonly payment_method: string } & {
    readonly items: readonly { readonly variant_id: string | undefined; readonly qty: number }[];
  };
  /** Places with a key. */
  placed(key: string, body: object): Promise<{ readonly status: number; readonly body: object }>;
  /** Places, and resolves to the order. */
  place(body: object): Promise<Order>;
  /** Records money for an order. */
  pay(orderId: string, more?: object): Promise<Answered<Order>>;
  /** `on hand/reserved` of each variant. */
  levels(): Promise<string[]>;
}

/** A store that sells hats for 10,000, as many as `stock` says of each kind. */
export const orderShop = async (commerce: Commerce, ...stock: readonly number[]): Promise<OrderShop> => {
  const products = stock.map((pieces, at): Partial<DemoProduct> => ({
    ...{ sku: `HAT-${at}`, name: `Hat ${at}`, price: 10_000, stock: pieces },
  }));
  const storeId = await newStore(commerce, products);
  const ids = await commerce.database.query<{ id: string }>('SELECT id FROM variant WHERE store_id = $1 ORDER BY sku', [
    storeId,
  ]);
  const variants = ids.map(({ id }) => id);
  const token = commerce.storeAuth.userToken({ store_id: storeId });
  const ask = askOf(commerce)(storeId);
  const levels = `SELECT on_hand || '/' || reserved AS level FROM stock_level s JOIN variant v ON v.store_id = s.store_id
    AND v.id = s.variant_id WHERE s.store_id = $1 ORDER BY v.sku`;
  return {
    storeId,
    ask,
    variants,
    cart: (...quantities) => ({
      contact: BUYER,
      payment_method: 'cash',
      items: quantities.flatMap((qty, at) => (qty === 0 ? [] : [{ variant_id: variants[at], qty }])),
    }),
    placed: async (key, body) => {
      const answer = await commerce.post('/api/order', body, bearer(token, { 'idempotency-key': key }));
      return { status: answer.status, body: answer.body as object };
    },
    place: async (body) => (await ask<Order>('POST', '/order', body)).body.data,
    pay: (order_id, more = {}) =>
      ask('POST', '/order/change_payment_status', { order_id, status: 'paid', method: 'cash', ...more }),
    levels: async () => {
      const rows = await commerce.database.query<{ level: string }>(levels, [storeId]);
      return rows.map(({ level }) => level);
    },
  };
};

/** Where nobody pays by a gateway. */
export const withoutTills: Tills = {
  gateways: { isThere: () => false, hasPlatform: () => false, feeOf: () => ({ percent_bp: 0, fixed: 0 }) },
  ask: () => Promise.resolve(),
};
