import type { By } from '../../../by';
import { NOW, type Commerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { Shipment } from '../parcels/public';

/** A shop with two warehouses, the goods of which are all in the first; `levels` are the first's. */
export interface ShippingShop extends OrderShop {
  readonly by: By;
  readonly main: string;
  readonly second: string;
  order(quantities: readonly number[], more?: object): Promise<Order>;
  /** Ships so many of each line of an order. */
  ship(order: Order, quantities: readonly number[], more?: object): Promise<Shipped>;
  /** Puts so many pieces of each variant into the second warehouse. */
  fill(...quantities: readonly number[]): Promise<void>;
  fulfillment(order: Order): Promise<string>;
  /** `on hand/reserved` of each variant in the second warehouse. */
  there(): Promise<string[]>;
}

export interface Shipped {
  readonly status: number;
  readonly body: { readonly data: Shipment; readonly code?: string };
}

const LEVELS = `SELECT on_hand || '/' || reserved AS level FROM stock_level s
  JOIN variant v ON v.store_id = s.store_id AND v.id = s.variant_id
  WHERE s.store_id = $1 AND s.warehouse_id = $2 ORDER BY v.sku`;
const SECOND = { name: 'Gudang dua', phone: '081200000000', address: { line: 'Jl. Dua 2', city: 'Bandung' } };

export const shippingShop = async (commerce: Commerce, ...stock: readonly number[]): Promise<ShippingShop> => {
  const shop = await orderShop(commerce, ...stock);
  const { ask } = shop;
  const [main] = (await ask<{ id: string }[]>('GET', '/warehouse')).body.data;
  const second = (await ask<{ id: string }>('POST', '/warehouse', SECOND)).body.data.id;
  const levelsIn = async (warehouse: string | undefined) => {
    const rows = await commerce.database.query<{ level: string }>(LEVELS, [shop.storeId, warehouse]);
    return rows.map(({ level }) => level);
  };
  return {
    ...{ ...shop, main: main?.id ?? '', second, by: { storeId: shop.storeId, actor: 'u1', at: new Date(NOW) } },
    order: (quantities, more = {}) => shop.place({ ...shop.cart(...quantities), ...more }),
    ship: (order, quantities, more = {}) => {
      const lines = quantities.flatMap((qty, at) => (qty === 0 ? [] : [{ order_item_id: order.items[at]?.id, qty }]));
      return ask<Shipment>('POST', '/shipping/shipments', {
        order_id: order.id,
        lines,
        warehouse_id: main?.id,
        ...more,
      });
    },
    fill: async (...quantities) => {
      const lines = quantities.map((counted, at) => ({ variant_id: shop.variants[at], counted }));
      await ask('PUT', `/warehouse/${second}/stock`, { lines });
    },
    levels: () => levelsIn(main?.id),
    there: () => levelsIn(second),
    fulfillment: async ({ id }) => (await ask<Order>('GET', `/order/${id}`)).body.data.fulfillment_status,
  };
};
