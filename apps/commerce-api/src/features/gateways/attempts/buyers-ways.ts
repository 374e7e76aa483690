import type { Sql } from '@platform/data';
import { methodsFor, type Gateways, type MethodCode } from '../../paying/methods/public';
import { feeOf } from '../../sales/orders/public';
import { feeOn } from '../../sales/totals/public';

/** An order as the ways to pay it see it. */
export interface Asked {
  readonly storeId: string;
  /** The method that it was placed by. */
  readonly own: string;
  /** What the fee of a method counts on. */
  readonly net: number;
  /** What of its total is the fee of its own method. */
  readonly fee: number;
  /** What is to be paid yet. */
  readonly due: number;
}

/**
 * By what a buyer can pay an order now: what its store offers for so much. A method that costs the buyer something else than the order's own
 * is none, as the total was agreed on with that.
 */
export const buyersWays = async (
  sql: Sql,
  gateways: Gateways,
  { storeId, own, net, fee, due }: Asked,
): Promise<MethodCode[]> => {
  const offered = await methodsFor(sql, storeId, due, gateways);
  return offered.filter((way) => way.code === own || feeOn(net, feeOf(way.fee)) === fee).map(({ code }) => code);
};
