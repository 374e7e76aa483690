import { uuidv7 } from '@platform/runtime';
import type { Commerce } from '../../../commerce.fixture';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';

export const VISITOR = 'V1';

const CART = `INSERT INTO checkout_session (store_id, id, token_hash, state, lines, visitor_id, order_id, created_at, updated_at)
  VALUES ($1, $2::uuid, $2::uuid::text, 'placed', '[]', $3, $4, $5, $5)`;

/** `orderShop`, whose orders come of the carts of one visitor. */
export const visitedShop = async (commerce: Commerce, ...stock: readonly number[]): Promise<OrderShop> => {
  const shop = await orderShop(commerce, ...stock);
  const place: OrderShop['place'] = async (body) => {
    const order = await shop.place(body);
    await commerce.database.query(CART, [shop.storeId, uuidv7(), VISITOR, order.id, commerce.clock.now()]);
    return order;
  };
  return { ...shop, place };
};
