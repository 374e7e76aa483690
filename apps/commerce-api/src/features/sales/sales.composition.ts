import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import type { Buyers } from './buyers/public';
import { couponsEndpoints } from './coupons/coupons.endpoints';
import { orderChanged, type OrderCopies } from './news/public';
import { ordersEndpoints } from './orders/orders.endpoints';
import { salesAbilities } from './sales.abilities';

const DAY_MS = 86_400_000;
/** What keys of requests are kept for. */
const KEYS = { table: 'idempotency_keys', column: 'claimed_at', keepMs: DAY_MS };
const CONTACT = 'SELECT contact_id AS id FROM sales_order WHERE store_id = $1 AND id = $2 AND contact_id IS NOT NULL';

/** Coupons and orders; `totals` is what an order costs. */
export const composeSales = (
  { database, clock, cursors, logger, queue }: AreaParts,
  { buyers, copies }: { readonly buyers: Buyers; readonly copies: OrderCopies },
): Area => ({
  endpoints: [
    ...couponsEndpoints({ database, clock, cursors }),
    ...ordersEndpoints({ database, clock, buyers, changed: orderChanged(queue) }),
  ],
  components: [new Housekeeping(database, { clock, logger, expired: [KEYS] })],
  abilities: salesAbilities,
  jobs: {
    // A repeat counts the same
    'order.changed': {
      effect: 'inside',
      run: ({ storeId, id }) =>
        database.tx(async (tx) => {
          const by = { storeId, actor: 'order.changed', at: clock.now() };
          const [contact] = await tx.query<{ id: string }>(CONTACT, [storeId, id]);
          if (contact) await buyers.recount(tx, by, contact.id);
          await copies.touched(tx, storeId, 'orders', [id]);
        }),
    },
  },
});
