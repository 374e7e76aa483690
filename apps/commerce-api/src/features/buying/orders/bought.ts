import type { Database, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { Writer } from '../../../by';
import { orderById, type Order } from '../../sales/orders/public';
import { ofPayToken, orderSeenBy, type PayPages } from '../../sales/payments/public';
import { sellerOf, type Seller } from '../../shop/store/public';

/** What the link of a buyer opens. */
export interface Bought {
  readonly token: string;
  readonly storeId: string;
  readonly shop: Seller;
  readonly order: Order;
  /** The link still pays; later it only shows. */
  readonly canBePaid: boolean;
  readonly now: Date;
}

export interface BoughtParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly pages: PayPages;
}

/** How buyers come in who have the link of an order. */
export const byLink = {
  guard: 'buyer',
  tenantOf: ({ params }: { readonly params: Readonly<Record<string, string>> }) => ofPayToken(params.token),
} as const;

const STORE = `SELECT store_id FROM global_key WHERE kind = 'order' AND ref_id = $1`;

/** Throws `invalid_signature` for a token that is not ours, `expired`, `NotFound`. */
export const boughtBy = async ({ database, clock, pages }: BoughtParts, token: string): Promise<Bought> => {
  const now = clock.now();
  const { id, canBePaid } = orderSeenBy(pages, token, now);
  const [row] = await database.prepared<{ store_id: string }>('store of order', STORE, [id]);
  if (!row) throw new NotFound('Order not found');
  const { store_id: storeId } = row;
  const [shop, order] = [await sellerOf(database, storeId), await orderById(database, storeId, id)];
  return { token, storeId, shop, order, canBePaid, now };
};

/** A buyer who writes: nobody knows who holds their link. */
export const buyerWrites = ({ storeId, now }: Pick<Bought, 'storeId' | 'now'>, ip: string): Writer => {
  const actor = { id: 'checkout', name: 'Checkout', kind: 'system' } as const;
  return { storeId, actor: actor.id, at: now, audit: { tenantId: storeId, actor, at: now, ip } };
};
