import type { Sql } from '@platform/data';
import { audited, type Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import type { Invoice } from '../invoices/public';
import { daysLater, endOf, findPlan, wholeSecond, type Period, type StoredPlan } from '../plans/public';
import { lockBilling } from './effects';
import { endSubscription, openRenewal } from './renewal';
import { openPurchase, paidAhead, renewalOf, voidOpen, type Purchase } from './purchases.sql';
import { hasEnded, nextAct } from './schedule';
import { billOf, creditAt, lastingItems, subscriptionRefusals, type Bill, type Live } from './subscription.rules';
import type { ChangePreview, PlanChange, PlanChangeAsked } from './subscriptions.dto';
import { liveOf, putSubscription } from './subscriptions.sql';

/** What is counted to the second is to be paid soon. */
const DAYS_TO_PAY = 1;

interface Wanted {
  readonly plan: StoredPlan;
  readonly period: Period;
}

/** A change that was counted: `bill` when it happens as soon as that is paid, otherwise at the end of what is paid. */
interface Counted extends ChangePreview {
  readonly bill: Bill | null;
}

type Named = Pick<Wanted, 'period'> & { readonly plan: Pick<StoredPlan, 'id'> };

const isSame = (one: Named | null, other: Named): boolean =>
  one !== null && one.plan.id === other.plan.id && one.period === other.period;

const boughtBy = ({ terms: { plan_id, period } }: Purchase): Named => ({ plan: { id: plan_id }, period });

const wantedOf = async (sql: Sql, live: Live, { plan_id, period = live.period }: PlanChangeAsked): Promise<Wanted> => {
  const plan = await findPlan(sql, plan_id);
  // Whoever has a plan that is sold no longer may stay on it
  const isTheirs = plan?.id === live.plan.id;
  if (!plan || !(isTheirs || (plan.on_sale && plan.family === 'new')))
    throw refusals.notHere('plan_id', 'is not a plan on sale');
  return { plan, period };
};

/** The plan that comes after what is paid: what was decided for it, or the same again. */
const plannedOf = (live: Live): Wanted => live.next ?? live;

const refuseSenseless = (live: Live, wanted: Wanted): void => {
  if (live.cancel_at_period_end) throw subscriptionRefusals.ending();
  if (isSame(plannedOf(live), wanted)) throw subscriptionRefusals.samePlan();
};

/** Neither to a smaller plan nor to a shorter period: those begin when what is paid has ended. */
const isLarger = (live: Live, { plan, period }: Wanted): boolean =>
  live.status === 'active' && plan.rank >= live.plan.rank && !(live.period === 'yearly' && period === 'monthly');

/**
 * What a change costs at a moment. It happens now when the plan is no smaller, the period no shorter, and the bill above what is credited; so
 * money is never left over. Everything else begins at the end of what is paid, that of `ahead` included.
 */
export const countChange = (live: Live, wanted: Wanted, ahead: Purchase | undefined, at: Date): Counted => {
  const items = lastingItems(live.items, wanted.plan);
  const whole = billOf({ ...wanted, items });
  const credit = creditAt(live, ahead ? paidAhead(ahead) : 0, at);
  const isNow = isLarger(live, wanted) && !isSame(live, wanted) && whole.amount > credit && !hasEnded(live, at);
  if (isNow) {
    const bill = billOf({ ...wanted, items, credit });
    return { bill, credit, charge: whole.amount, due_now: bill.amount, effective_at: at.toISOString() };
  }
  const due_now = hasEnded(live, at) ? whole.amount : 0;
  const effective_at = (ahead?.ends_at ?? live.period_end).toISOString();
  return { bill: null, credit: 0, charge: whole.amount, due_now, effective_at };
};

const count = async (sql: Sql, storeId: string, at: Date, live: Live, wanted: Wanted): Promise<Counted> => {
  const renewal = await renewalOf(sql, storeId, live);
  return countChange(live, wanted, renewal?.state === 'ahead' ? renewal : undefined, wholeSecond(at));
};

const preview = ({ credit, charge, due_now, effective_at }: Counted): ChangePreview => ({
  ...{ credit, charge, due_now, effective_at },
});

/** What `changePlan` would do at this moment. Throws as it does. */
export const previewChange = async (
  sql: Sql,
  { storeId, at }: { readonly storeId: string; readonly at: Date },
  asked: PlanChangeAsked,
): Promise<ChangePreview> => {
  const live = await liveOf(sql, storeId);
  const wanted = await wantedOf(sql, live, asked);
  refuseSenseless(live, wanted);
  return preview(await count(sql, storeId, at, live, wanted));
};

const changeNow = async (tx: Sql, by: Writer, live: Live, { period }: Wanted, bill: Bill): Promise<Invoice> => {
  const from = wholeSecond(by.at);
  await voidOpen(tx, by, ['upgrade']);
  const bills = live.bills + 1;
  await putSubscription(tx, by, { ...live, bills });
  return openPurchase(tx, by, {
    ...{ subscriptionId: live.id, kind: 'upgrade', ref: `upgrade:${live.id}:${bills}`, bill },
    ...{ time: { from, until: endOf(from, period, from.getUTCDate()) }, dueAt: daysLater(by.at, DAYS_TO_PAY) },
  });
};

/** The next bill is written for the other plan, at once where it is due. */
const changeLater = async (tx: Sql, by: Writer, live: Live, wanted: Wanted): Promise<Invoice | null> => {
  await voidOpen(tx, by, ['renewal', 'upgrade']);
  const renewal = await renewalOf(tx, by.storeId, live);
  // Another plan that is paid already comes first: the one of now does not go on by itself
  const isUsual = isSame(live, wanted) && (renewal === undefined || isSame(boughtBy(renewal), wanted));
  const planned = { ...live, next: isUsual ? null : wanted };
  if (hasEnded(live, by.at)) return openRenewal(tx, by, planned);
  await putSubscription(tx, by, { ...planned, act_at: nextAct({ ...planned, renewal }, by.at) });
  return null;
};

/**
 * Changes the plan: writes the bill of a change that happens now, or plans it for the end of what is paid. What a store has stays when its plan gets
 * smaller; nothing comes to it beyond the new limits. Throws `not_subscribed`, `subscription_ending`, `same_plan`, and `NotFound` with the field.
 */
export const changePlan = async (tx: Sql, by: Writer, asked: PlanChangeAsked): Promise<PlanChange> => {
  await lockBilling(tx, by);
  const live = await liveOf(tx, by.storeId);
  const wanted = await wantedOf(tx, live, asked);
  refuseSenseless(live, wanted);
  const counted = await count(tx, by.storeId, by.at, live, wanted);
  const { bill } = counted;
  const invoice = bill ? await changeNow(tx, by, live, wanted, bill) : await changeLater(tx, by, live, wanted);
  const [before, after] = [plannedOf(live), wanted].map(({ plan, period }) => ({ plan: plan.code, period }));
  await audited(tx, by, { action: 'billing.write', type: 'subscription', id: live.id, before, after });
  return { ...preview(counted), invoice };
};

/** Lets the plan end with what is paid; one that is unpaid ends at once. Throws `not_subscribed`, `invalid_transition`. */
export const cancelPlan = async (tx: Sql, by: Writer, reason: string | undefined): Promise<void> => {
  await lockBilling(tx, by);
  const live = await liveOf(tx, by.storeId);
  if (live.cancel_at_period_end) throw invalidTransition('cancelled');
  await voidOpen(tx, by, ['renewal', 'upgrade', 'addon']);
  if (live.status === 'past_due') await endSubscription(tx, by, live, 'end', reason);
  else {
    const cancelled = { ...live, cancel_at_period_end: true, act_at: live.period_end };
    await putSubscription(tx, by, cancelled, { reason: reason ?? null });
  }
  const diff = { before: { cancel_at_period_end: false }, after: { cancel_at_period_end: true, reason } };
  await audited(tx, by, { action: 'billing.write', type: 'subscription', id: live.id, ...diff });
};

/** Undoes `cancelPlan` while the plan lives. Throws `not_subscribed`, `invalid_transition`. */
export const resumePlan = async (tx: Sql, by: Writer): Promise<void> => {
  await lockBilling(tx, by);
  const live = await liveOf(tx, by.storeId);
  if (!live.cancel_at_period_end) throw invalidTransition(live.status);
  const resumed = { ...live, cancel_at_period_end: false };
  const renewal = await renewalOf(tx, by.storeId, live);
  await putSubscription(tx, by, { ...resumed, act_at: nextAct({ ...resumed, renewal }, by.at) });
  const diff = { before: { cancel_at_period_end: true }, after: { cancel_at_period_end: false } };
  await audited(tx, by, { action: 'billing.write', type: 'subscription', id: live.id, ...diff });
};
