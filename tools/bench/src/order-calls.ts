import type { OrderJob } from './order-load.types';

interface Placed {
  readonly id: string;
  readonly number: string;
}

type Shop = Pick<OrderJob, 'url' | 'headers' | 'order' | 'keyWidth'>;

const asked = async ({ url, headers }: Shop, path: string, body: string): Promise<Placed> => {
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: Placed }).data;
};

/** Places an order and records the money for it, as somebody at a counter does. */
export const placedAndPaid = async (shop: Shop, key: number): Promise<Placed> => {
  const order = shop.order.replaceAll('{key}', String(key).padStart(shop.keyWidth, '0'));
  const placed = await asked(shop, '/api/order', order);
  const paid = JSON.stringify({ order_id: placed.id, status: 'paid', method: 'cash' });
  await asked(shop, '/api/order/change_payment_status', paid);
  return placed;
};
