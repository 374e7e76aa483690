import type { Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { findAddons, suits, type StoredAddon } from '../addons/public';
import type { Invoice } from '../invoices/public';
import { daysLater, restOf, wholeSecond, type Period } from '../plans/public';
import { lockBilling } from './effects';
import { openPurchase, renewalOf, voidOpen, type Purchase } from './purchases.sql';
import { nextAct } from './schedule';
import { subscriptionRefusals, type Bill, type Live } from './subscription.rules';
import { liveOf, putSubscription } from './subscriptions.sql';

const DAYS_TO_PAY = 1;

export const addonRefusals = {
  otherPlan: (): Failure => new Conflict('The add-on is not for this plan', { code: 'not_for_plan' }),
} as const;

/** The rest of the period, and all of the one that is paid ahead, which may be one of another length. */
const billOfRest = (
  live: Live,
  addon: StoredAddon,
  quantity: number,
  { from, ahead }: { readonly from: Date; readonly ahead: Purchase | undefined },
): Bill => {
  const priceOf = (period: Period): number => addon.prices[period] * quantity;
  const rest = restOf({ price: priceOf(live.period), from: live.period_start, until: live.period_end }, from);
  const amount = rest + (ahead ? priceOf(ahead.terms.period) : 0);
  const items = [{ item_id: uuidv7(), addon_id: addon.id, quantity, price: amount }];
  return {
    lines: [{ text: `${addon.name}, until the end of what is paid`, qty: quantity, amount }],
    terms: { plan_id: live.plan.id, period: live.period, price: 0, items },
    ...{ amount, currency: live.plan.currency },
  };
};

/** Throws `subscription_ending`, `past_due`: what is bought would end before it began. */
const refuseEnding = (live: Live, at: Date): void => {
  if (live.cancel_at_period_end) throw subscriptionRefusals.ending();
  if (live.status === 'past_due' || at >= live.period_end) throw subscriptionRefusals.unpaid();
};

/**
 * Writes the bill of an add-on until the end of what is paid, from which on it is on the bill of the plan. It counts when the bill is
 * paid. Throws `NotFound`, `not_for_plan`, `not_subscribed`, `subscription_ending`, `past_due`.
 */
export const buyAddon = async (tx: Sql, by: Writer, id: string, quantity: number): Promise<Invoice> => {
  await lockBilling(tx, by);
  const [addon] = await findAddons(tx, [id]);
  if (!addon?.on_sale) throw new NotFound('Add-on not found');
  const live = await liveOf(tx, by.storeId);
  refuseEnding(live, by.at);
  if (!suits(addon, live.plan.code)) throw addonRefusals.otherPlan();
  const from = wholeSecond(by.at);
  const renewal = await renewalOf(tx, by.storeId, live);
  const ahead = renewal?.state === 'ahead' ? renewal : undefined;
  const bill = billOfRest(live, addon, quantity, { from, ahead });
  const bills = live.bills + 1;
  await putSubscription(tx, by, { ...live, bills });
  const invoice = await openPurchase(tx, by, {
    ...{ subscriptionId: live.id, kind: 'addon', ref: `addon:${live.id}:${bills}`, bill },
    ...{ time: { from, until: ahead?.ends_at ?? live.period_end }, dueAt: daysLater(by.at, DAYS_TO_PAY) },
  });
  const after = { addon: addon.code, quantity, amount: bill.amount };
  await audited(tx, by, { action: 'billing.write', type: 'addon', id: addon.id, after });
  return invoice;
};

/** Lets an add-on end with what is paid. Throws `not_subscribed`, `NotFound`, `invalid_transition`. */
export const cancelAddon = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  await lockBilling(tx, by);
  const live = await liveOf(tx, by.storeId);
  const item = live.items.find((each) => each.id === id);
  if (!item) throw new NotFound('Add-on not found');
  if (item.cancel_at_period_end) throw invalidTransition('cancelled');
  const end = `UPDATE subscription_item SET cancel_at_period_end = true, updated_at = $3 WHERE store_id = $1 AND id = $2`;
  await tx.query(end, [by.storeId, id, by.at]);
  // They count it
  await voidOpen(tx, by, ['renewal', 'upgrade']);
  const renewal = await renewalOf(tx, by.storeId, live);
  await putSubscription(tx, by, { ...live, act_at: nextAct({ ...live, renewal }, by.at) });
  const diff = { before: { cancel_at_period_end: false }, after: { cancel_at_period_end: true } };
  await audited(tx, by, { action: 'billing.write', type: 'addon', id, ...diff });
};
