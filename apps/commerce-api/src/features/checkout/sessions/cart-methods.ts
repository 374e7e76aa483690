import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { methodsFor, type Gateways } from '../../paying/methods/public';
import { feeOf, paymentMethods, type Order, type Quote } from '../../sales/orders/public';
import { totalsOf } from '../../sales/totals/public';
import type { OrderShipping } from '../../shipping/rates/public';
import type { CartMethod } from './sessions.dto';

type Code = CartMethod['code'];

/** From what it follows how a cart can be paid. */
export interface Offering {
  readonly sql: Sql;
  readonly gateways: Gateways;
}

/** Cash where it is fetched or nothing is sent, on delivery where that was chosen, and everything else where it was not. */
const fits = (code: Code, shipping: OrderShipping | null): boolean => {
  if (code === 'cash') return shipping === null || shipping.kind === 'pickup';
  return (code === 'cod') === (shipping?.kind === 'cod');
};

/** What an order of this total that is sent so can be paid with, and what the buyer pays for it. */
const offeredFor = async (
  { sql, gateways }: Offering,
  storeId: string,
  total: number,
  shipping: OrderShipping | null,
) => {
  const offered = await methodsFor(sql, storeId, total, gateways);
  return offered.flatMap(({ code: known, fee }) => {
    const code = paymentMethods.find((each) => each === known);
    return code !== undefined && fits(code, shipping) ? [{ code, fee }] : [];
  });
};

/** The ways to pay a cart, each with its fee and the total that follows. */
export const methodsOf = async (
  offering: Offering,
  storeId: string,
  { shipping, counted, totals }: Quote,
): Promise<CartMethod[]> =>
  (await offeredFor(offering, storeId, totals.total, shipping)).map(({ code, fee: terms }) => {
    const { fee, total } = totalsOf({ ...counted, fee: feeOf(terms) });
    return { code, fee, total };
  });

/** Throws `InvalidInput` for an order with a method that its cart does not offer; it is then to be rolled back. */
export const refuseUnoffered = async (offering: Offering, storeId: string, order: Order): Promise<void> => {
  const offered = await offeredFor(offering, storeId, order.total - order.fee, order.shipping);
  if (offered.some(({ code }) => code === order.payment_method)) return;
  const message = 'payment_method is not offered for this cart';
  throw new InvalidInput([{ field: 'payment_method', tag: 'offered', message }]);
};
