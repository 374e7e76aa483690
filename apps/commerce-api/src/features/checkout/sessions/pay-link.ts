import { createHmac } from 'node:crypto';
import type { Order } from '../../sales/orders/public';
import type { PlacedSession } from './sessions.dto';

/** How long the page of a payment can be opened. */
const DAYS = 7;
const DAY_SECONDS = 86_400;

/** What opens the page of one order's payment (design 5.7): `<order>.<epoch seconds>.<HMAC>`. The same for the same order. */
const payToken = (secret: string, { id, placed_at }: Pick<Order, 'id' | 'placed_at'>): string => {
  const expires = Math.floor(Date.parse(placed_at) / 1000) + DAYS * DAY_SECONDS;
  const claim = `${id}.${expires}`;
  return `${claim}.${createHmac('sha256', secret).update(claim).digest('hex')}`;
};

/** Where an order is paid; null: the shop has no pages. */
export const payUrlOf = ({ secret, publicUrl }: PayPages, order: Pick<Order, 'id' | 'placed_at'>): string | null =>
  publicUrl === undefined ? null : `${publicUrl}/pay/${payToken(secret, order)}`;

export interface PayPages {
  readonly secret: string;
  /** Undefined: the shop has no pages. */
  readonly publicUrl: string | undefined;
}

/** What a buyer is told whose order is placed, each time the same. */
export const placedSession = (pages: PayPages, order: Order): PlacedSession => {
  const pay_token = payToken(pages.secret, order);
  return {
    ...{ order_number: order.number, total: order.total, pay_token },
    pay_url: payUrlOf(pages, order),
    expires_at: order.pay_expires_at,
  };
};
