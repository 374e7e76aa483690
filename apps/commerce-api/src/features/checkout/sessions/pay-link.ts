import type { Order } from '../../sales/orders/public';
import { payPage, payToken, type PayPages } from '../../sales/payments/public';
import type { PlacedSession } from './sessions.dto';

export type { PayPages };

/** What a buyer is told whose order is placed, each time the same. */
export const placedSession = (pages: PayPages, order: Order): PlacedSession => ({
  ...{ order_number: order.number, total: order.total, pay_token: payToken(pages, order) },
  pay_url: payPage(pages, order),
  expires_at: order.pay_expires_at,
});
