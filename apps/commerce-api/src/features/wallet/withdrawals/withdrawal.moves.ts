import { writeAudit, type Audit, type Sql } from '@platform/data';
import { uuidv5 } from '@platform/runtime';
import type { By } from '../../../by';
import { announce } from '../../../announce';
import { lockBooks, post, reverse } from '../../ledger/postings/public';
import { withdrawalMachine } from './withdrawal.rules';
import { shownWithdrawal, withdrawalById, type WithdrawalRow } from './withdrawals.sql';
import type { Withdrawal } from './withdrawals.dto';

type Event = Parameters<typeof withdrawalMachine.next>[1];

/** The money waits for its withdrawal, amount and fee. */
export const lockMoney = (tx: Sql, by: By, { id, amount, fee, currency }: WithdrawalRow): Promise<boolean> =>
  post(tx, by, {
    ...{ key: `withdrawal:${id}`, kind: 'withdrawal_requested', ref: id, currency },
    entries: [
      { account: 'wallet_available', side: 'D', amount: amount + fee },
      { account: 'wallet_locked', side: 'C', amount: amount + fee },
    ],
  });

const payMoney = (tx: Sql, by: By, { id, amount, fee, currency }: WithdrawalRow): Promise<boolean> =>
  post(tx, by, {
    ...{ key: `withdrawal_paid:${id}`, kind: 'withdrawal_paid', ref: id, currency },
    entries: [
      { account: 'wallet_locked', side: 'D', amount: amount + fee },
      { account: 'gateway_clearing', side: 'C', amount },
      { account: 'fee_revenue', side: 'C', amount: fee },
    ],
  });

/** The exact opposite of what was posted, the last first. */
const returnMoney = async (tx: Sql, by: By, { id, status, currency }: WithdrawalRow): Promise<void> => {
  const kind = 'withdrawal_returned';
  if (status === 'paid') {
    await lockBooks(tx, by, currency);
    await reverse(tx, by, { key: `withdrawal_unpaid:${id}`, original: `withdrawal_paid:${id}`, kind });
  }
  await reverse(tx, by, { key: `withdrawal_returned:${id}`, original: `withdrawal:${id}`, kind });
};

/** Whatever was to be looked at is decided by that. */
const WRITE = `
  UPDATE withdrawal SET status = $3::text, failure = coalesce($4, failure), provider_ref = coalesce($5, provider_ref), updated_at = $6, alert = NULL,
    approved_at = CASE WHEN $3::text = 'approved' THEN $6 ELSE approved_at END,
    paid_at = CASE WHEN $3::text = 'paid' THEN $6 ELSE paid_at END,
    next_try_at = CASE WHEN $3::text = 'approved' THEN $6::timestamptz WHEN $3::text = 'processing' THEN next_try_at END
  WHERE store_id = $1 AND id = $2`;

export interface Move {
  readonly event: Event;
  readonly failure?: string | undefined;
  readonly ref?: string | undefined;
}

/** What others hear of, by the state that it is in then. */
const NEWS: Partial<Record<Withdrawal['status'], 'withdrawal.paid' | 'withdrawal.failed'>> = {
  ...{
    paid: 'withdrawal.paid',
    failed: 'withdrawal.failed',
    rejected: 'withdrawal.failed',
    reversed: 'withdrawal.failed',
  },
};

/** Each state is news once. */
const announced = async (
  tx: Sql,
  { storeId, at, actor }: By,
  id: string,
  status: Withdrawal['status'],
): Promise<void> => {
  const kind = NEWS[status];
  if (!kind) return;
  const event = { kind, subjectId: id, at: at.toISOString(), actor } as const;
  await announce(tx, storeId, [{ ...event, eventId: uuidv5(id, status) }]);
};

const BACK: readonly Event[] = ['cancel', 'reject', 'fail', 'reverse'];

/**
 * Moves a withdrawal whose row the caller has locked, its money with it, and tells the audit log. Throws `invalid_transition`.
 */
export const moveWithdrawal = async (
  tx: Sql,
  { by, audit }: { readonly by: By; readonly audit: Audit },
  before: WithdrawalRow,
  { event, failure, ref }: Move,
): Promise<Withdrawal> => {
  const status = withdrawalMachine.next(before.status, event);
  if (event === 'succeed') await payMoney(tx, by, before);
  if (BACK.includes(event)) await returnMoney(tx, by, before);
  await tx.query(WRITE, [by.storeId, before.id, status, failure ?? null, ref ?? null, by.at]);
  const diff = { status: { from: before.status, to: status }, ...(failure ? { failure: { to: failure } } : {}) };
  const change = { action: 'wallet.withdraw', subject: { type: 'withdrawal', id: before.id }, diff };
  if (status !== before.status) {
    await writeAudit(tx, audit, change);
    await announced(tx, by, before.id, status);
  }
  return shownWithdrawal(await withdrawalById(tx, by.storeId, before.id));
};
