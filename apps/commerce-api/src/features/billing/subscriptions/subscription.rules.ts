import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import { metrics, MOST_ALLOWED, type Metric } from '../../../limits';
import { machine } from '../../../machine';
import { suits, type Item, type StoredAddon } from '../addons/public';
import type { InvoiceLine } from '../invoices/public';
import { creditOf, type Period, type StoredPlan } from '../plans/public';

export const subscriptionRefusals = {
  alreadySubscribed: (): Failure =>
    new Conflict('The store has a plan: change it instead', { code: 'already_subscribed' }),
  notSubscribed: (): Failure => new Conflict('The store has no plan: choose one first', { code: 'not_subscribed' }),
  samePlan: (): Failure => new Conflict('The store has this plan already', { code: 'same_plan' }),
  ending: (): Failure => new Conflict('The plan was cancelled: resume it first', { code: 'subscription_ending' }),
  unpaid: (): Failure => new Conflict('The plan is unpaid: pay its bill first', { code: 'past_due' }),
  tooLate: (): Failure =>
    new Conflict('The time to pay this bill is over: ask for it anew', { code: 'invoice_expired' }),
} as const;

export type StoredState = 'active' | 'past_due' | 'cancelled' | 'expired';

/** Of a subscription that was paid once (design 3.3); before, the store is on the trial. `end` is that of what was paid, or of the time to pay. */
export const subscriptionMachine = machine<StoredState, 'renew' | 'lapse' | 'stop' | 'end'>({
  active: { renew: 'active', lapse: 'past_due', stop: 'cancelled' },
  past_due: { renew: 'active', end: 'expired' },
  cancelled: {},
  expired: {},
});

/** A subscription as it is stored. */
export interface Live {
  readonly id: string;
  readonly status: StoredState;
  readonly plan: StoredPlan;
  readonly period: Period;
  readonly price: number;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly anchor_day: number;
  readonly cancel_at_period_end: boolean;
  readonly next: { readonly plan: StoredPlan; readonly period: Period } | null;
  readonly auto_renew: boolean;
  readonly bills: number;
  readonly act_at: Date | null;
  readonly items: readonly Item[];
}

/** What a bill buys, besides its time. */
export interface Terms {
  readonly plan_id: string;
  readonly period: Period;
  /** Of the plan alone, after the voucher. */
  readonly price: number;
  readonly items: readonly {
    readonly item_id: string;
    readonly addon_id: string;
    readonly quantity: number;
    readonly price: number;
  }[];
  readonly voucher?: string;
}

/** A bill before it is opened. */
export interface Bill {
  readonly lines: readonly InvoiceLine[];
  readonly terms: Terms;
  readonly amount: number;
  readonly currency: string;
}

export interface WantedItem {
  readonly id: string;
  readonly addon: StoredAddon;
  readonly quantity: number;
}

const timeOf: Readonly<Record<Period, string>> = { monthly: '1 month', yearly: '1 year' };
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

interface Buying {
  readonly plan: StoredPlan;
  readonly period: Period;
  readonly items: readonly WantedItem[];
  readonly voucher?: { readonly code: string; readonly percent: number } | undefined;
  /** What is taken off for what was paid already. */
  readonly credit?: number;
}

/** The bill of a whole period. */
export const billOf = ({ plan, period, items, voucher, credit = 0 }: Buying): Bill => {
  const listed = plan.prices[period];
  const discount = voucher ? Math.floor((listed * voucher.percent) / 100) : 0;
  const bought = items.map(({ id, addon, quantity }) => ({
    line: { text: `${addon.name}, ${timeOf[period]}`, qty: quantity, amount: addon.prices[period] * quantity },
    term: { item_id: id, addon_id: addon.id, quantity, price: addon.prices[period] * quantity },
  }));
  const lines = [
    { text: `${plan.name}, ${timeOf[period]}`, qty: 1, amount: listed },
    ...bought.map(({ line }) => line),
    ...(voucher ? [{ text: `Voucher ${voucher.code} (${voucher.percent} %)`, qty: 1, amount: -discount }] : []),
    ...(credit > 0 ? [{ text: 'Credit for what was paid and not used', qty: 1, amount: -credit }] : []),
  ];
  const terms = { plan_id: plan.id, period, price: listed - discount, items: bought.map(({ term }) => term) };
  return {
    lines,
    terms: voucher ? { ...terms, voucher: voucher.code } : terms,
    amount: sumOf(lines.map(({ amount }) => amount)),
    currency: plan.currency,
  };
};

/** The add-ons that go on into the next period of a plan. */
export const lastingItems = (items: readonly Item[], { code }: StoredPlan): Item[] =>
  items.filter(({ addon, cancel_at_period_end }) => !cancel_at_period_end && suits(addon, code));

/** What of a subscription is paid and not used at a moment, its add-ons and what was paid ahead included; never more than was paid. */
export const creditAt = ({ price, period_start, period_end, items }: Live, ahead: number, at: Date): number =>
  creditOf({ price, from: period_start, until: period_end }, at) +
  sumOf(items.map((item) => creditOf(item, at))) +
  ahead;

const addedBy = (items: readonly Item[], metric: Metric): number =>
  sumOf(items.filter(({ addon }) => addon.metric === metric).map((item) => item.addon.amount * item.quantity));

/** What a plan and its add-ons allow. */
export const allowedBy = ({ plan, items }: Pick<Live, 'plan' | 'items'>): Record<Metric, number> =>
  Object.fromEntries(
    metrics.map((metric) => [metric, Math.min(MOST_ALLOWED, plan.limits[metric] + addedBy(items, metric))]),
  ) as Record<Metric, number>;

/** Throws `InvalidInput` for a code that takes nothing off this plan now. */
export const voucherOf = (plan: StoredPlan, code: string | undefined, at: Date) => {
  if (code === undefined) return undefined;
  const voucher = plan.vouchers.find((each) => each.code === code.toUpperCase());
  if (voucher && new Date(voucher.until) > at) return voucher;
  throw new InvalidInput([
    { field: 'voucher', tag: 'voucher', message: 'voucher is not one that counts for this plan now' },
  ]);
};
