import { secretBox } from '@platform/auth';
import { Housekeeping, type Sql } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { inTime } from '../../astray';
import type { Config } from '../../config';
import type { CommerceJobs } from '../../jobs';
import { couponsEndpoints } from './coupons/coupons.endpoints';
import { couponsPages } from './coupons/coupons.pages';
import { announceOrder, KEPT_MS, type OrderCopies } from './news/public';
import { orderPages, type OrderActionParts } from './orders/order.actions';
import { UnpaidOrders } from './orders/order-expiry';
import { ordersEndpoints, type OrderParts } from './orders/orders.endpoints';
import { paymentsEndpoints, writePaid } from './payments/public';
import { Refunds, refundGauges, refundsEndpoints, type AccountOf } from './refunds/public';
import { watchLowStock } from '../stock/levels/public';
import { salesAbilities } from './sales.abilities';

const DAY_MS = 86_400_000;
/** What keys of requests are kept for. */
const KEYS = { table: 'idempotency_keys', column: 'claimed_at', keepMs: DAY_MS };
/** What was announced. */
const EVENTS = { table: 'shop_event', column: 'at', keepMs: KEPT_MS };
const CONTACT = 'SELECT contact_id AS id FROM sales_order WHERE store_id = $1 AND id = $2 AND contact_id IS NOT NULL';
/** What of its goods may have become scarce with it. */
const VARIANTS = 'SELECT DISTINCT i.variant_id AS id FROM order_item i WHERE i.store_id = $1 AND i.order_id = $2';

interface Needs
  extends
    Pick<OrderParts, 'buyers' | 'tills' | 'pages'>,
    Pick<OrderActionParts, 'rates' | 'goods' | 'proofUrl' | 'reviews' | 'sends' | 'ships'> {
  readonly copies: OrderCopies;
  /** The accounts by which buyers have paid, and are paid back. */
  readonly accountOf: AccountOf;
}

type Changed = CommerceJobs['order.changed'];

/**
 * What follows from an order that has changed; a repeat counts the same. `write` is what its timeline gets before that is told, which keeps
 * the order as it is: after its contacts are locked (`order.locks`).
 */
const followUp =
  ({ clock, buyers, copies }: Pick<AreaParts, 'clock'> & Pick<Needs, 'buyers' | 'copies'>) =>
  async (tx: Sql, { storeId, id, former }: Changed, write = () => Promise.resolve()): Promise<void> => {
    const by = { storeId, actor: 'order.changed', at: clock.now() };
    const [contact] = await tx.prepared<{ id: string }>('contact of order', CONTACT, [storeId, id]);
    await buyers.recount(
      tx,
      by,
      [contact?.id, former].filter((each) => each !== undefined),
    );
    await copies.touched(tx, storeId, 'orders', [id]);
    await write();
    await announceOrder(tx, { storeId, id }, clock.now());
    const sold = await tx.prepared<{ id: string }>('variants of order', VARIANTS, [storeId, id]);
    await watchLowStock(
      tx,
      by,
      sold.map((variant) => variant.id),
    );
  };

/** Coupons, orders and refunds; `totals` is what an order costs. */
export const composeSales = (
  { SHOP_SECRETS_KEY }: Config,
  { database, clock, cursors, logger }: AreaParts,
  { copies, accountOf, ...needs }: Needs,
): Area => {
  const { buyers, tills, pages } = needs;
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const onChange = followUp({ clock, buyers, copies });
  const refunds = new Refunds({ database, clock, box, accountOf });
  return {
    endpoints: [
      ...couponsEndpoints({ database, clock, cursors }),
      ...ordersEndpoints({ database, clock, buyers, tills, pages }),
      ...paymentsEndpoints({ database }),
      ...refundsEndpoints({ clock }, { box }),
    ],
    components: [new Housekeeping(database, { clock, logger, expired: [KEYS, EVENTS] })],
    pages: [couponsPages({ database, clock, cursors }), orderPages({ database, clock, box, ...needs })],
    ...{ abilities: salesAbilities, gauges: refundGauges(database, clock) },
    jobs: {
      'order.paid.history': {
        effect: 'inside',
        run: (paid) =>
          database.tx((tx) => onChange(tx, { storeId: paid.storeId, id: paid.orderId }, () => writePaid(tx, paid))),
      },
      'order.cancel-unpaid': {
        effect: 'inside',
        run: inTime(database, { clock, logger }, (now, signal) =>
          new UnpaidOrders({ database, clock: now, logger }).cancel(signal),
        ),
        cron: [{ pattern: '* * * * *' }],
      },
      'refund.execute': { effect: 'outside', run: (refund, { signal }) => refunds.execute(refund, signal) },
      'order.changed': { effect: 'inside', run: (order) => database.tx((tx) => onChange(tx, order)) },
    },
  };
};
