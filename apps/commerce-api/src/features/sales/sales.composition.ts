import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { withoutContacts } from './buyers/public';
import { couponsEndpoints } from './coupons/coupons.endpoints';
import { UnpaidOrders } from './orders/order-expiry';
import { ordersEndpoints } from './orders/orders.endpoints';
import { paymentsEndpoints, writePaid } from './payments/public';
import { salesAbilities } from './sales.abilities';

const DAY_MS = 86_400_000;
/** What keys of requests are kept for. */
const KEYS = { table: 'idempotency_keys', column: 'claimed_at', keepMs: DAY_MS };

/** Coupons and orders; `totals` is what an order costs. */
export const composeSales = ({ database, clock, cursors, logger }: AreaParts): Area => ({
  endpoints: [
    ...couponsEndpoints({ database, clock, cursors }),
    ...ordersEndpoints({ database, clock, contactFor: withoutContacts }),
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
  },
});
