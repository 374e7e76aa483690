import { bigintNumber, type Sql } from '@platform/data';
import type { By } from '../../../by';
import { lockStore } from '../../../store.lock';
import { post } from '../../ledger/postings/public';
import { endItems, putItems } from '../addons/public';
import { lockUnpaidInvoices } from '../invoices/public';
import { endOf, findPlan, wholeSecond, type StoredPlan } from '../plans/public';
import { markPurchase, paidPurchases, renewalOf, voidOpen, type PaidPurchase, type Purchase } from './purchases.sql';
import { nextAct } from './schedule';
import { subscriptionMachine, type Live, type Terms } from './subscription.rules';
import { findLive, makeEffective, putSubscription } from './subscriptions.sql';

interface Time {
  readonly from: Date;
  readonly until: Date;
}

const planOf = async (tx: Sql, { plan_id }: Terms): Promise<StoredPlan> => {
  const plan = await findPlan(tx, plan_id);
  if (!plan) throw new Error(`there is no plan ${plan_id}`);
  return plan;
};

/** Writes a subscription whose terms are these for a time, with when something is to be done next. */
const write = async (tx: Sql, by: By, live: Omit<Live, 'act_at'>): Promise<void> => {
  const renewal = await renewalOf(tx, by.storeId, live);
  await putSubscription(tx, by, { ...live, act_at: nextAct({ ...live, renewal }, by.at) });
};

/** The period that was paid by these terms begins; what was planned for it has happened then. */
const begin = async (tx: Sql, by: By, live: Omit<Live, 'act_at'>, terms: Terms, time: Time): Promise<void> => {
  const plan = await planOf(tx, terms);
  const { price, period, items } = terms;
  const isPlanned = live.next?.plan.id === plan.id && live.next.period === period;
  const begun = { period_start: time.from, period_end: time.until, next: isPlanned ? null : live.next };
  await write(tx, by, { ...live, plan, price, period, ...begun });
  const at = { storeId: by.storeId, subscriptionId: live.id, at: by.at };
  // What was bought after the bill had been paid is paid for longer
  await endItems(
    tx,
    at,
    items.map(({ item_id }) => item_id),
    time.from,
  );
  await putItems(tx, at, items, time);
};

const start = async (tx: Sql, by: By, { subscription_id: id, terms, paid_at }: PaidPurchase): Promise<void> => {
  const from = wholeSecond(paid_at);
  const anchor_day = from.getUTCDate();
  const time = { from, until: endOf(from, terms.period, anchor_day) };
  const fresh = { id, status: 'active', plan: await planOf(tx, terms), anchor_day, next: null, bills: 0 } as const;
  const usual = { cancel_at_period_end: false, auto_renew: true, items: [] };
  const period = { period: terms.period, price: terms.price, period_start: time.from, period_end: time.until };
  await begin(tx, by, { ...fresh, ...usual, ...period }, terms, time);
};

/** What is paid ends with the moment from which the new plan is counted: the rest was credited, what was paid ahead too. */
const upgrade = async (tx: Sql, by: By, live: Live, { terms, ...purchase }: Purchase): Promise<void> => {
  const time = { from: purchase.starts_at ?? by.at, until: purchase.ends_at ?? by.at };
  const ahead = await renewalOf(tx, by.storeId, live);
  if (ahead?.state === 'ahead') await markPurchase(tx, by, ahead.invoice_id, 'done');
  await voidOpen(tx, by, ['renewal', 'addon', 'upgrade']);
  const at = { storeId: by.storeId, subscriptionId: live.id, at: by.at };
  await endItems(
    tx,
    at,
    terms.items.map(({ item_id }) => item_id),
    null,
  );
  await begin(tx, by, { ...live, next: null, anchor_day: time.from.getUTCDate() }, terms, time);
};

/** The period that was paid ahead begins where the one before it ended; its limits are the caller's to write. */
export const rollOver = async (tx: Sql, by: By, live: Live, { terms, ...renewal }: Purchase): Promise<void> => {
  await markPurchase(tx, by, renewal.invoice_id, 'done');
  await voidOpen(tx, by, ['upgrade', 'addon']);
  const status = subscriptionMachine.next(live.status, 'renew');
  const time = { from: live.period_end, until: renewal.ends_at ?? live.period_end };
  await begin(tx, by, { ...live, status }, terms, time);
};

const renew = async (tx: Sql, by: By, live: Live, purchase: Purchase): Promise<void> => {
  if (by.at >= live.period_end) return rollOver(tx, by, live, purchase);
  await markPurchase(tx, by, purchase.invoice_id, 'ahead');
  await voidOpen(tx, by, ['upgrade', 'addon']);
  await write(tx, by, live);
};

const addItems = async (tx: Sql, by: By, live: Live, { terms, ...purchase }: Purchase): Promise<void> => {
  await voidOpen(tx, by, ['upgrade', 'renewal']);
  const at = { storeId: by.storeId, subscriptionId: live.id, at: by.at };
  const time = { from: purchase.starts_at ?? by.at, until: purchase.ends_at ?? live.period_end };
  await putItems(tx, at, terms.items, time);
  await write(tx, by, live);
};

/** The money of a bill that bought nothing, because it was taken back while it was being paid, is the store's. */
const credit = async (tx: Sql, by: By, { invoice_id: id, amount, currency }: PaidPurchase): Promise<void> => {
  const entry = { amount: bigintNumber.from(amount) };
  await markPurchase(tx, by, id, 'credited');
  await post(tx, by, {
    ...{ key: `invoice_returned:${id}`, kind: 'subscription', ref: id, currency },
    entries: [
      { account: 'subscription_revenue', side: 'D', ...entry },
      { account: 'wallet_available', side: 'C', ...entry },
    ],
  });
};

/** Bills before the ledger, as whoever pays one: what the caller takes back or pays afterwards is among them. */
const creditAll = async (tx: Sql, by: By, lost: readonly PaidPurchase[]): Promise<void> => {
  if (lost.length > 0) await lockUnpaidInvoices(tx, by.storeId);
  for (const purchase of lost) await credit(tx, by, purchase);
};

/** Gives what a paid bill buys; false when that is not to be had any more. */
const give = async (tx: Sql, by: By, purchase: PaidPurchase): Promise<boolean> => {
  const live = await findLive(tx, by.storeId);
  if ((purchase.kind === 'start') === (live !== undefined)) return false;
  await markPurchase(tx, by, purchase.invoice_id, 'done');
  if (!live) await start(tx, by, purchase);
  else if (live.id !== purchase.subscription_id) return false;
  else await { upgrade, renewal: renew, addon: addItems, start: upgrade }[purchase.kind](tx, by, live, purchase);
  await makeEffective(tx, by, (await findLive(tx, by.storeId))?.status ?? 'active');
  return true;
};

/**
 * Locks a store for what concerns its plan, and gives it what it has paid for and not got yet: whoever decides on its subscription
 * decides on what is true. Idempotent; all of it in the caller's transaction.
 */
export const lockBilling = async (tx: Sql, by: By): Promise<void> => {
  await lockStore(tx, by.storeId);
  for (let paid = await paidPurchases(tx, by.storeId); paid.length > 0; paid = await paidPurchases(tx, by.storeId)) {
    const [purchase] = paid;
    // After the counters of the plan: orders lock them in this order too
    if (purchase?.state !== 'open') return creditAll(tx, by, paid);
    // What one brings may take back the next: their sums are right no longer
    if (!(await give(tx, by, purchase))) await markPurchase(tx, by, purchase.invoice_id, 'void');
  }
};
