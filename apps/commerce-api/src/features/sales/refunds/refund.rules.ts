import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import { refusals } from '../../../refusals';
import { portionDown } from '../totals/public';
import type { RefundMethod } from './refunds.dto';

/** A line of an order as refunds see it; what was given back of it counts unless the refund failed. Amounts in the settlement unit. */
export interface SoldLine {
  readonly id: string;
  readonly qty: number;
  /** Less its discount, with the tax that was added to it. */
  readonly net: number;
  readonly tax: number;
  readonly back: { readonly qty: number; readonly amount: number; readonly tax: number };
}

/** An order as refunds see it. */
export interface SoldOrder {
  readonly total: number;
  readonly tax: number;
  readonly lines: readonly SoldLine[];
  /** Of all refunds that have not failed, with those of no line; what was too much is not among them. */
  readonly back: { readonly amount: number; readonly tax: number };
  /** What came in beyond the total and was not given back: it was no sale. */
  readonly surplus: number;
}

/** Pieces of a line that are given back. */
export interface WantedLine {
  readonly order_item_id: string;
  readonly qty: number;
}

export interface LineShare extends WantedLine {
  readonly amount: number;
  readonly tax: number;
}

/** What is to be given back. */
export interface Shares {
  readonly amount: number;
  readonly tax: number;
  readonly lines: readonly LineShare[];
}

export const refundRefusals = {
  notSupported: (): Failure =>
    new Conflict('Money of this payment cannot be given back so: choose another method', { code: 'not_supported' }),
  notPaid: (): Failure =>
    new Conflict(
      'Lines are given back of an order that was paid in full: give an amount back, and edit or cancel the order',
      { code: 'not_paid' },
    ),
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different refund', { code: 'idempotency_mismatch' }),
} as const;

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

const least = (amount: number): number => Math.max(0, amount);

/**
 * The share of some pieces of a line. The pieces that have been given back by then are worth their part of the line, rounded down, and what was
 * given back of it before is taken off: so every split of a line adds up to exactly the line.
 */
const shareOf = (line: SoldLine, qty: number, at: number): LineShare => {
  const after = line.back.qty + qty;
  if (after > line.qty)
    throw wrong(`lines[${at}].qty`, 'max', `must be ${line.qty - line.back.qty} or less: the rest was given back`);
  return {
    ...{ order_item_id: line.id, qty },
    amount: least(portionDown(line.net, after, line.qty) - line.back.amount),
    tax: least(portionDown(line.tax, after, line.qty) - line.back.tax),
  };
};

const sum = (lines: readonly LineShare[], member: 'amount' | 'tax'): number =>
  lines.reduce((all, line) => all + line[member], 0);

const isWhole = ({ lines }: SoldOrder, given: readonly WantedLine[]): boolean =>
  lines.every(({ id, qty, back }) => {
    const now = given.find(({ order_item_id }) => order_item_id === id)?.qty ?? 0;
    return back.qty + now === qty;
  });

/**
 * What some pieces of an order are worth. Whoever takes the last of them gives shipping and fee back too, so that refunds of all lines come to
 * exactly the total. Throws `InvalidInput` for more pieces than are left, more than is left of the price and a line that is named twice, `NotFound`
 * for another order's.
 */
export const sharesOfLines = (order: SoldOrder, wanted: readonly WantedLine[]): Shares => {
  const lines = wanted.map(({ order_item_id, qty }, at) => {
    const line = order.lines.find(({ id }) => id === order_item_id);
    if (!line) throw refusals.notHere(`lines[${at}].order_item_id`, 'is not a line of this order');
    if (wanted.findIndex((each) => each.order_item_id === order_item_id) !== at)
      throw wrong(`lines[${at}].order_item_id`, 'unique', 'is named twice');
    return shareOf(line, qty, at);
  });
  const left = least(order.total - order.back.amount);
  if (!isWhole(order, wanted)) {
    const shares = { amount: sum(lines, 'amount'), tax: sum(lines, 'tax'), lines };
    // What came too much pays for no lines of which the price was given back without them
    if (shares.amount > left) throw wrong('lines', 'max', `must be ${left} or less: so much is left of the price`);
    return shares;
  }
  return { amount: left, tax: Math.min(left, least(order.tax - order.back.tax)), lines };
};

/** What an amount has of the order's tax, once what is too much is back; all amounts together have all of it. */
export const sharesOfAmount = (order: SoldOrder, amount: number): Shares => {
  const after = Math.min(order.total, order.back.amount + least(amount - order.surplus));
  const due = order.total === 0 ? 0 : portionDown(order.tax, after, order.total);
  return { amount, tax: Math.min(amount, least(due - order.back.tax)), lines: [] };
};

/** A payment as refunds see it; `back`: of its refunds that have not failed. */
export interface PaidPayment {
  readonly id: string;
  readonly provider: string;
  readonly provider_ref: string | null;
  readonly mode: 'platform' | 'direct';
  readonly amount: number;
  readonly platform_fee: number;
  readonly currency: string;
  readonly back: { readonly amount: number; readonly fee: number };
}

export const restOf = ({ amount, back }: PaidPayment): number => amount - back.amount;

/** What the platform gives back of its fee; refunds of the whole payment give back all of it. */
export const feeShareOf = ({ amount, platform_fee, back }: PaidPayment, given: number): number => {
  const toll = Math.min(platform_fee, amount);
  return Math.min(given, least(portionDown(toll, back.amount + given, amount) - back.fee));
};

const supports = ({ provider, provider_ref, mode }: PaidPayment, method: RefundMethod): boolean =>
  ({
    manual: true,
    payout: mode === 'platform',
    provider: provider === 'b' && provider_ref !== null,
  })[method];

/**
 * The newest payment that bears the amount and can be given back so. Throws `not_supported` when none can, and `InvalidInput` when none of
 * them bears it.
 */
export const bearerOf = (
  payments: readonly PaidPayment[],
  { amount, method, field }: { readonly amount: number; readonly method: RefundMethod; readonly field: string },
): PaidPayment => {
  const possible = payments.filter((payment) => supports(payment, method));
  if (possible.length === 0 && payments.length > 0) throw refundRefusals.notSupported();
  const bearer = possible.find((payment) => restOf(payment) >= amount);
  if (bearer) return bearer;
  const most = Math.max(0, ...possible.map(restOf));
  const parts = possible.length > 1 ? ' of one payment: give it back in parts' : '';
  throw wrong(field, 'max', `must be ${most} or less: that can be given back${parts}`);
};
