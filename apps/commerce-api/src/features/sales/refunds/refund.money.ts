import type { Sql } from '@platform/data';
import { bigintNumber } from '@platform/data';
import type { By } from '../../../by';
import { lockBooks, post, reverse, type Entry } from '../../ledger/postings/public';
import { PUT_BACK, TAKE_PENDING } from './refunds.sql';

/** The money of a refund. Amounts in the settlement unit. */
export interface RefundMoney {
  readonly id: string;
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly fee_share: number;
  readonly from_pending: number;
  readonly mode: 'platform' | 'direct';
  readonly method: 'provider' | 'payout' | 'manual';
}

/** The platform has the money and gives it back; else the shop does, and the ledger only says so. */
export const isOfWallet = ({ mode, method }: Pick<RefundMoney, 'mode' | 'method'>): boolean =>
  mode === 'platform' && method !== 'manual';

const ofWallet = ({ amount, fee_share }: RefundMoney): number => amount - fee_share;

/** Takes what has not settled of the payment first; resolves to how much that was. */
export const takePending = async (tx: Sql, { storeId }: By, refund: RefundMoney): Promise<number> => {
  const [row] = await tx.query<{ taken: string }>(TAKE_PENDING, [storeId, refund.payment_id, ofWallet(refund)]);
  return row ? bigintNumber.from(row.taken) : 0;
};

const posting = (tx: Sql, by: By, refund: RefundMoney, step: string, entries: readonly Entry[]): Promise<boolean> =>
  post(tx, by, {
    ...{ key: `refund_${step}:${refund.id}`, kind: 'refund', ref: refund.id, currency: refund.currency },
    entries,
  });

/** The wallet's part is put aside, so that nothing else can be paid with it. Throws `insufficient_balance`. */
export const putAside = (tx: Sql, by: By, refund: RefundMoney): Promise<boolean> =>
  posting(tx, by, refund, 'requested', [
    { account: 'wallet_pending', side: 'D', amount: refund.from_pending },
    { account: 'wallet_available', side: 'D', amount: ofWallet(refund) - refund.from_pending },
    { account: 'wallet_locked', side: 'C', amount: ofWallet(refund) },
  ]);

/** The buyer has it (design 3.4): the fee's share is the platform's, or the shop has given it itself. */
export const given = (tx: Sql, by: By, refund: RefundMoney): Promise<boolean> => {
  const { amount, fee_share } = refund;
  return isOfWallet(refund)
    ? posting(tx, by, refund, 'paid', [
        { account: 'wallet_locked', side: 'D', amount: ofWallet(refund) },
        { account: 'fee_revenue', side: 'D', amount: fee_share },
        { account: 'gateway_clearing', side: 'C', amount },
      ])
    : posting(tx, by, refund, 'paid', [
        { account: 'external_sales', side: 'D', amount },
        { account: 'external_cash', side: 'C', amount },
      ]);
};

/** What had not settled waits again, unless it has settled meanwhile; resolves to how much does. */
const putBack = async (tx: Sql, { storeId }: By, { from_pending, payment_id }: RefundMoney): Promise<number> => {
  const isPending = from_pending > 0 && (await tx.query(PUT_BACK, [storeId, payment_id, from_pending])).length > 0;
  return isPending ? from_pending : 0;
};

/**
 * What was put aside is the wallet's again: what had not settled where it was, unless that has settled meanwhile. `isGiven`: the bank has sent back
 * what the buyer had, which is put aside before that, the fee's share with it.
 */
export const takeBack = async (tx: Sql, by: By, refund: RefundMoney, isGiven = false): Promise<void> => {
  const { id, currency } = refund;
  const pending = await putBack(tx, by, refund);
  if (isGiven) {
    await lockBooks(tx, by, currency);
    await reverse(tx, by, { key: `refund_unpaid:${id}`, original: `refund_paid:${id}`, kind: 'refund' });
  }
  if (!isOfWallet(refund)) return;
  await posting(tx, by, refund, 'returned', [
    { account: 'wallet_locked', side: 'D', amount: ofWallet(refund) },
    { account: 'wallet_pending', side: 'C', amount: pending },
    { account: 'wallet_available', side: 'C', amount: ofWallet(refund) - pending },
  ]);
};
