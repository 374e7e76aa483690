import { secretBox } from '@platform/auth';
import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { unlessAstray } from '../../astray';
import type { Config } from '../../config';
import { couponsEndpoints } from './coupons/coupons.endpoints';
import type { OrderCopies } from './news/public';
import { UnpaidOrders } from './orders/order-expiry';
import { ordersEndpoints, type OrderParts } from './orders/orders.endpoints';
import { paymentsEndpoints, writePaid } from './payments/public';
import { Refunds, refundGauges, refundsEndpoints, type AccountOf } from './refunds/public';
import { salesAbilities } from './sales.abilities';

const DAY_MS = 86_400_000;
/** What keys of requests are kept for. */
const KEYS = { table: 'idempotency_keys', column: 'claimed_at', keepMs: DAY_MS };
const CONTACT = 'SELECT contact_id AS id FROM sales_order WHERE store_id = $1 AND id = $2 AND contact_id IS NOT NULL';

interface Needs extends Pick<OrderParts, 'buyers' | 'tills' | 'pages'> {
  readonly copies: OrderCopies;
  /** The accounts by which buyers have paid, and are paid back. */
  readonly accountOf: AccountOf;
}

/** Coupons, orders and refunds; `totals` is what an order costs. */
export const composeSales = (
  { SHOP_SECRETS_KEY }: Config,
  { database, clock, cursors, logger }: AreaParts,
  { buyers, copies, accountOf, tills, pages }: Needs,
): Area => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const refunds = new Refunds({ database, clock, box, accountOf });
  return {
    endpoints: [
      ...couponsEndpoints({ database, clock, cursors }),
      ...ordersEndpoints({ database, clock, buyers, tills, pages }),
      ...paymentsEndpoints({ database }),
      ...refundsEndpoints({ clock }, { box }),
    ],
    components: [new Housekeeping(database, { clock, logger, expired: [KEYS] })],
    ...{ abilities: salesAbilities, gauges: refundGauges(database, clock) },
    jobs: {
      'order.paid.history': { effect: 'inside', run: (paid) => writePaid(database, paid) },
      'order.cancel-unpaid': {
        effect: 'inside',
        run: unlessAstray(database, { clock, logger }, (signal) =>
          new UnpaidOrders({ database, clock, logger }).cancel(signal),
        ),
        cron: [{ pattern: '* * * * *' }],
      },
      'refund.execute': { effect: 'outside', run: (refund, { signal }) => refunds.execute(refund, signal) },
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
  };
};
