import type { Sql } from '@platform/data';
import {
  buyersFee,
  methodsOf,
  takes,
  type Gateways,
  type MethodCode,
  type MethodView,
} from '../../paying/methods/public';
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
 * By what a buyer can pay an order now: its own method, which was agreed on, and what its store offers for so much. A method that costs the buyer
 * something else than the order's own is none, as the total was agreed on with that.
 */
export const buyersWays = async (
  sql: Sql,
  gateways: Gateways,
  { storeId, own, net, fee, due }: Asked,
): Promise<MethodCode[]> => {
  const isOffered = (way: MethodView): boolean =>
    way.enabled && takes(way, due) && feeOn(net, feeOf(buyersFee(way))) === fee;
  const ways = await methodsOf(sql, storeId, gateways);
  return ways.filter((way) => way.configured && (way.code === own || isOffered(way))).map(({ code }) => code);
};
