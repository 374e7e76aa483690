import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { arrived, post } from '../../ledger/postings/public';
import { findAddons } from '../addons/public';
import { payInvoiceFromWallet } from '../invoices/public';
import { daysLater, largestPlan } from '../plans/public';
import { lockBilling } from './effects';
import { openPurchase } from './purchases.sql';
import { billOf } from './subscription.rules';

/** The add-on `device`. */
const DEVICE = 'afdfb195-5d56-5909-89c4-bcb43b8659e0';

/** Gives a new store the largest plan for a year, with an add-on, as if it had paid for it at that moment: a shop to try everything with. */
export const giveLargestPlan = async (tx: Sql, by: By): Promise<void> => {
  const plan = await largestPlan(tx);
  const items = (await findAddons(tx, [DEVICE])).map((addon) => ({ id: uuidv7(), addon, quantity: 2 }));
  const bill = billOf({ plan, period: 'yearly', items });
  const subscriptionId = uuidv7();
  const { id } = await openPurchase(tx, by, {
    ...{ subscriptionId, kind: 'start', ref: `start:${subscriptionId}`, bill },
    ...{ time: null, dueAt: daysLater(by.at, 1) },
  });
  await post(tx, by, {
    ...{ key: `seed:${id}`, kind: 'topup', ref: id, currency: bill.currency },
    entries: [...arrived(bill.amount), { account: 'wallet_available', side: 'C', amount: bill.amount }],
  });
  await payInvoiceFromWallet(tx, by, id);
  await lockBilling(tx, by);
};
