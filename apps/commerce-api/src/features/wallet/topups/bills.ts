import type { Tills } from '../../sales/orders/public';
import { openAttempt } from '../../sales/payments/public';
import type { BillPayments } from './topups.service';

/** What a top-up is paid at. */
const PROVIDER = 'b';
/** As long as the page of the provider takes the money; asked for again afterwards it gets another one. */
const PAYABLE_MS = 24 * 3_600_000;

/** Bills of the platform, paid to the platform's own account. */
export const billPayments = ({ gateways, ask }: Tills): BillPayments => ({
  open: (tx, by, { id, number, amount, currency }) =>
    openAttempt(tx, by, gateways, {
      ...{ of: { invoiceId: id, number }, provider: PROVIDER, amount, currency, door: 'staff' },
      expiresAt: new Date(by.at.getTime() + PAYABLE_MS),
    }),
  ask: async (storeId, paymentId) => void (await ask(storeId, paymentId)),
});
