import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { couponsEndpoints } from './coupons/coupons.endpoints';
import type { OrderCopies } from './news/public';
import { UnpaidOrders } from './orders/order-expiry';
import { ordersEndpoints, type OrderParts } from './orders/orders.endpoints';
import { paymentsEndpoints, writePaid } from './payments/public';
import { salesAbilities } from './sales.abilities';

const DAY_MS = 86_400_000;
/** What keys of requests are kept for. */
const KEYS = { table: 'idempotency_keys', column: 'claimed_at', keepMs: DAY_MS };
const CONTACT = 'SELECT contact_id AS id FROM sales_order WHERE store_id = $1 AND id = $2 AND contact_id IS NOT NULL';

interface SalesParts extends Pick<OrderParts, 'buyers' | 'tills' | 'pages'> {
  readonly copies: OrderCopies;
}

/** Coupons and orders; `totals` is what an order costs. */
export const composeSales = (
  { database, clock, cursors, logger }: AreaParts,
  { buyers, copies, tills, pages }: SalesParts,
): Area => ({
  endpoints: [
    ...couponsEndpoints({ database, clock, cursors }),
    ...ordersEndpoints({ database, clock, buyers, tills, pages }),
    ...paymentsEndpoints({ database }),
  ],
  components: [new Housekeeping(database, { clock, logger, expired: [KEYS] })],
  abilities: salesAbilities,
  jobs: {
    'order.paid.history': { effect: 'inside', run: (paid) => writePaid(database, paid) },
    'order.cancel-unpaid': {
      effect: 'inside',
      run: async (_none, { signal }) => void (await new UnpaidOrders({ database, clock, logger }).cancel(signal)),
      cron: [{ pattern: '* * * * *' }],
    },
    // A repeat counts the same
    'order.changed': {
      effect: 'inside',
      run: ({ storeId, id, former }) =>
        database.tx(async (tx) => {
          const by = { storeId, actor: 'order.changed', at: clock.now() };
          const [contact] = await tx.query<{ id: string }>(CONTACT, [storeId, id]);
          const contacts = [contact?.id, former].filter((each) => each !== undefined);
          await buyers.recount(tx, by, contacts);
          await copies.touched(tx, storeId, 'orders', [id]);
        }),
    },
  },
});
