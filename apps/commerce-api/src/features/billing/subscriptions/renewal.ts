import type { Sql } from '@platform/data';
import { Failure } from '@platform/errors';
import type { By } from '../../../by';
import { endItems } from '../addons/public';
import { payInvoiceFromWallet, type Invoice } from '../invoices/public';
import { daysLater, endOf } from '../plans/public';
import type { Queue } from '../../../jobs';
import { notify } from '../../../notify';
import { lockBilling, rollOver } from './effects';
import { openPurchase, renewalOf, voidOpen, type Purchase } from './purchases.sql';
import { GRACE_DAYS, hasEnded, isDueAhead, isOverdue, nextStage, reminderOf } from './schedule';
import { billOf, lastingItems, subscriptionMachine, type Live } from './subscription.rules';
import { findLive, makeEffective, putSubscription } from './subscriptions.sql';

/** Ends a subscription: its store is on the trial again. */
export const endSubscription = async (
  tx: Sql,
  by: By,
  live: Live,
  event: 'stop' | 'end',
  reason?: string,
): Promise<void> => {
  const status = subscriptionMachine.next(live.status, event);
  await voidOpen(tx, by, ['renewal', 'upgrade', 'addon']);
  await endItems(tx, { storeId: by.storeId, subscriptionId: live.id, at: by.at }, [], null);
  await putSubscription(tx, by, { ...live, status, act_at: null }, { endedAt: by.at, reason: reason ?? null });
  await makeEffective(tx, by, status);
};

/** The bill of the period that follows, once for each: what is written anew after a change of plan has a number of its own. */
export const openRenewal = async (tx: Sql, by: By, live: Live): Promise<Invoice> => {
  const { plan, period } = live.next ?? live;
  const bill = billOf({ plan, period, items: lastingItems(live.items, plan) });
  const bills = live.bills + 1;
  const from = live.period_end;
  await putSubscription(tx, by, { ...live, bills, act_at: nextStage(live, by.at) });
  return openPurchase(tx, by, {
    ...{ subscriptionId: live.id, kind: 'renewal', ref: `renew:${live.id}:${from.toISOString()}:${bills}`, bill },
    ...{ time: { from, until: endOf(from, period, live.anchor_day) }, dueAt: daysLater(from, GRACE_DAYS) },
  });
};

const isShort = (error: unknown): boolean => error instanceof Failure && error.code === 'insufficient_balance';

/** Whether the wallet has paid it: the last thing of a transaction that did. */
const paidByWallet = async (tx: Sql, by: By, invoiceId: string): Promise<boolean> => {
  await tx.query('SAVEPOINT wallet');
  try {
    await payInvoiceFromWallet(tx, by, invoiceId);
    return true;
  } catch (error) {
    if (!isShort(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT wallet');
    return false;
  }
};

const NUMBER = 'SELECT number FROM invoice WHERE store_id = $1 AND id = $2';

/** The back office can only be read from now on: who pays is to know. */
const lapse = async (tx: Sql, by: By, live: Live, invoiceId: string): Promise<Live> => {
  if (live.status === 'past_due') return live;
  await voidOpen(tx, by, ['upgrade', 'addon']);
  const lapsed = { ...live, status: subscriptionMachine.next(live.status, 'lapse') };
  await putSubscription(tx, by, lapsed);
  await makeEffective(tx, by, lapsed.status);
  const [bill] = await tx.query<{ number: string }>(NUMBER, [by.storeId, invoiceId]);
  const notice = { storeId: by.storeId, id: `unpaid:${invoiceId}`, params: { number: bill?.number ?? '' } };
  await notify(tx, { ...notice, event: 'plan.unpaid', url: '/billing' });
  return lapsed;
};

/** What becomes of a subscription whose bill nobody has paid yet. */
const wait = async (tx: Sql, { by, queue }: Renewing, live: Live, invoiceId: string): Promise<void> => {
  const { storeId, at } = by;
  const standing = hasEnded(live, at) ? await lapse(tx, by, live, invoiceId) : live;
  if (isOverdue(standing, at)) return endSubscription(tx, by, standing, 'end');
  await putSubscription(tx, by, { ...standing, act_at: nextStage(standing, at) });
  const days = reminderOf(standing, live.act_at ?? at, at);
  if (days === undefined) return;
  for (const channel of ['mail', 'whatsapp'] as const) {
    const reminder = { storeId, id: live.id, periodEnd: live.period_end.toISOString(), days, channel };
    await queue.enqueue(tx, 'subscription.remind', reminder, { key: `remind:${live.id}:${days}:${channel}` });
  }
};

export interface Renewing {
  readonly by: By;
  readonly queue: Queue;
}

/** The renewal of a live subscription: paid ahead, to be billed, or unpaid. */
const move = async (tx: Sql, parts: Renewing, live: Live, renewal: Purchase | undefined): Promise<void> => {
  const { by } = parts;
  if (renewal?.state === 'ahead') {
    await rollOver(tx, by, live, renewal);
    return makeEffective(tx, by, 'active');
  }
  if (live.cancel_at_period_end) return endSubscription(tx, by, live, 'stop');
  if (!isDueAhead(live, by.at)) return putSubscription(tx, by, { ...live, act_at: nextStage(live, by.at) });
  const invoiceId = renewal?.invoice_id ?? (await openRenewal(tx, by, live)).id;
  // What it paid for is given in the next round, so that nobody holds the wallet and waits for the limits
  if (live.auto_renew && (await paidByWallet(tx, by, invoiceId))) return;
  await wait(tx, parts, { ...live, bills: renewal ? live.bills : live.bills + 1 }, invoiceId);
};

/**
 * Does the next thing that is due with a store's subscription, in the caller's transaction: writes the bill of the next period a week ahead,
 * pays it from the wallet, lets the period begin, or the time to pay it end. False when nothing was due. Any number of
 * processes may do it at once: the store is locked, and what is due is asked again under the lock.
 */
export const advance = async (tx: Sql, parts: Renewing): Promise<boolean> => {
  const { by } = parts;
  await lockBilling(tx, by);
  const live = await findLive(tx, by.storeId);
  if (!live?.act_at || live.act_at > by.at) return false;
  await move(tx, parts, live, await renewalOf(tx, by.storeId, live));
  return true;
};
