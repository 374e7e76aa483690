import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import { findAddons, suits } from '../addons/public';
import type { Invoice } from '../invoices/public';
import { daysLater, planOnSale } from '../plans/public';
import { lockBilling } from './effects';
import { hasUsed, openPurchase, voidOpen } from './purchases.sql';
import { billOf, subscriptionRefusals, voucherOf, type Bill, type WantedItem } from './subscription.rules';
import type { PlanChoice, PlanQuote } from './subscriptions.dto';
import { findLive } from './subscriptions.sql';

/** A first bill stands for so long. */
const DAYS_TO_PAY = 7;

const itemsFor = async (sql: Sql, planCode: string, ids: readonly string[] = []): Promise<WantedItem[]> => {
  const found = await findAddons(sql, [...new Set(ids.map((id) => id.toLowerCase()))]);
  const offered = found.filter((addon) => addon.on_sale && suits(addon, planCode));
  const unknown = ids.findIndex((id) => !offered.some((addon) => addon.id === id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`addon_ids[${unknown}]`, 'is not an add-on for this plan');
  return offered.map((addon) => ({ id: uuidv7(), addon, quantity: 1 }));
};

const firstBill = async (sql: Sql, storeId: string, at: Date, choice: PlanChoice): Promise<Bill> => {
  const plan = await planOnSale(sql, choice.plan_id);
  const voucher = voucherOf(plan, choice.voucher, at);
  if (voucher && (await hasUsed(sql, storeId, voucher.code)))
    throw new InvalidInput([{ field: 'voucher', tag: 'used', message: 'voucher was used by this store already' }]);
  const items = await itemsFor(sql, plan.code, choice.addon_ids);
  return billOf({ plan, period: choice.period, items, voucher });
};

/** The lines of the bill that `subscribe` would write at this moment. Throws as it does, except that it may be asked by whoever has a plan. */
export const quoteOf = async (sql: Sql, storeId: string, at: Date, choice: PlanChoice): Promise<PlanQuote> => {
  const { lines, amount, currency } = await firstBill(sql, storeId, at, choice);
  return { lines: [...lines], amount, currency };
};

/**
 * Writes the bill of a first period, which begins when the bill is paid. An unpaid one from before is void. Throws `already_subscribed`,
 * `NotFound` with the field of a plan or an add-on that is not on sale, `InvalidInput` for a voucher that does not count.
 */
export const subscribe = async (tx: Sql, by: Writer, choice: PlanChoice): Promise<Invoice> => {
  const { storeId, at } = by;
  await lockBilling(tx, by);
  if (await findLive(tx, storeId)) throw subscriptionRefusals.alreadySubscribed();
  const bill = await firstBill(tx, storeId, at, choice);
  await voidOpen(tx, by, ['start']);
  const subscriptionId = uuidv7();
  const invoice = await openPurchase(tx, by, {
    ...{ subscriptionId, kind: 'start', ref: `start:${subscriptionId}`, bill },
    ...{ time: null, dueAt: daysLater(at, DAYS_TO_PAY) },
  });
  const after = { plan_id: bill.terms.plan_id, period: choice.period, amount: bill.amount };
  await audited(tx, by, { action: 'billing.write', type: 'subscription', id: subscriptionId, after });
  return invoice;
};
