import type { Audit, Transaction } from '@platform/data';
import { Failure, NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { By } from '../../../by';
import { couponRefusals } from '../../sales/coupons/public';
import { orderById, placeOrder, type Order, type Placing } from '../../sales/orders/public';
import { stockRefusals } from '../../stock/levels/public';
import { isSent } from './cart';
import { refuseUnoffered } from './cart-methods';
import {
  buyerBy,
  needsEmail,
  refuseOver,
  required,
  sessionRefusals,
  settingsOf,
  type Session,
  type SessionKey,
} from './session';
import type { SessionPlacing } from './sessions.dto';
import { lockSession, sessionPlaced } from './sessions.sql';

export interface PlacingParts extends Pick<Placing, 'buyers' | 'tills'> {
  readonly clock: Clock;
}

/** Throws `InvalidInput` for what an order of this cart cannot do without; resolves to who buys. */
const buyerOf = (session: Session): NonNullable<Session['buyer']> => {
  const { lines, buyer, address, shipping } = session;
  if (lines.length === 0) throw required('items');
  if (buyer === null) throw required('buyer');
  if (needsEmail(session) && buyer.email === undefined) throw required('buyer.email');
  if (isSent(session) && shipping === null) throw required('shipping');
  if (settingsOf(session).require_address && address === null) throw required('address');
  return buyer;
};

const orderOf = (session: Session, { payment_method, expected_total, note }: SessionPlacing) => {
  const contact = buyerOf(session);
  const { lines, address, shipping, coupon, link_id, utm, visitor_id, begunAt } = session;
  return {
    items: lines.map(({ variant_id, qty }) => ({ variant_id, qty })),
    ...{ contact, address: address ?? undefined, shipping: shipping ?? undefined, coupon: coupon ?? undefined },
    ...{ payment_method, expected_total, note, touch: { utm, visitor_id, at: begunAt } },
    channel: link_id === null ? ('storefront' as const) : ('link' as const),
  };
};

const UNSOLD = /^items\.(\d+)\.variant_id$/;

/** As a buyer is told: what is not sold any more is gone, and nobody learns by a number who has used a coupon. */
const toldToBuyers = (failure: unknown, { lines }: Session): unknown => {
  if (failure instanceof NotFound) {
    const gone = lines[Number(UNSOLD.exec(String(failure.details.field))?.[1] ?? -1)];
    return gone ? stockRefusals.outOfStock([{ variant_id: gone.variant_id, available: 0 }]) : failure;
  }
  const isOfContact = failure instanceof Failure && failure.details.reason === 'contact_limit';
  return isOfContact ? couponRefusals.unavailable('usage_limit') : failure;
};

const auditOf = ({ storeId, at }: By, ip: string): Audit => ({
  ...{ tenantId: storeId, actor: { id: 'checkout', name: 'Checkout', kind: 'system' as const }, at, ip },
});

/**
 * Places the order of a cart, once for ever: whoever comes second waits for the lock of the cart and finds the order. Throws `NotFound`,
 * `expired`, `store_closed`, `InvalidInput` for what is wanting, and whatever `placeOrder` does; the transaction is then to be rolled back.
 */
export const placeSession = async (
  tx: Transaction,
  { clock, ...parts }: PlacingParts,
  { key, ip, body }: { readonly key: SessionKey; readonly ip: string; readonly body: SessionPlacing },
): Promise<Order> => {
  const session = await lockSession(tx, key);
  const { storeId, id, order_id } = session;
  if (order_id !== null) return orderById(tx, storeId, order_id);
  const by = buyerBy(storeId, clock);
  refuseOver(session, by.at);
  if (session.store.status === 'closed') throw sessionRefusals.storeClosed();
  const wanted = orderOf(session, body);
  const order = await placeOrder(tx, { ...parts, by, audit: auditOf(by, ip), key: id }, wanted).catch(
    (failure: unknown) => {
      throw toldToBuyers(failure, session);
    },
  );
  await refuseUnoffered({ sql: tx, gateways: parts.tills.gateways }, storeId, order);
  await sessionPlaced(tx, session, order, by.at);
  return order;
};
