import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import type { PayoutNotices } from '../../gateways/notices/public';
import type { PayoutState } from '../../gateways/port';
import { moveWithdrawal } from './withdrawal.moves';
import { storeOfWithdrawal, withdrawalById, type WithdrawalRow } from './withdrawals.sql';

/** What a provider says of a payout; `referenceId` is the id that we gave it. */
export type PayoutNotice = PayoutState & { readonly referenceId: string };

const ALERT = 'UPDATE withdrawal SET alert = $3, updated_at = $4 WHERE store_id = $1 AND id = $2';
const TAKEN =
  'UPDATE withdrawal SET provider_ref = coalesce(provider_ref, $3), updated_at = $4 WHERE store_id = $1 AND id = $2';

const EVENT = { succeeded: 'succeed', failed: 'fail', reversed: 'reverse' } as const;
/** What has ended so may be told again. */
const ENDED = { succeeded: 'paid', failed: 'failed', reversed: 'reversed' } as const;

/** What was refused, or ended by an operator, before its provider had said that it has it. */
const isNeverTaken = ({ status, provider_ref }: WithdrawalRow): boolean => status === 'failed' && provider_ref === null;

/** A reversal that comes twice, and whatever was told before it and comes late. */
const isOldEnd = ({ status }: WithdrawalRow, state: keyof typeof EVENT): boolean =>
  status === ENDED[state] ||
  (status === 'reversed' && state === 'succeeded') ||
  (status === 'failed' && state === 'reversed');
const isOld = (row: WithdrawalRow, state: PayoutState['state']): boolean =>
  state === 'accepted' ? !isNeverTaken(row) : isOldEnd(row, state);

const isOpen = ({ status }: WithdrawalRow): boolean => status === 'approved' || status === 'processing';

const fits = (row: WithdrawalRow, state: keyof typeof EVENT): boolean =>
  isOpen(row) || (row.status === 'paid' && state === 'reversed');

/**
 * Does what the provider says of a payout, in the caller's transaction: paid, or the money is back to the last unit. Said twice or in
 * another order it changes nothing; where it contradicts what was said before, the withdrawal stays and is on the list of alerts. False:
 * the payout is not that of a withdrawal.
 */
export const settlePayout = async (tx: Sql, at: Date, notice: PayoutNotice, actor = 'payout'): Promise<boolean> => {
  const { referenceId: id, state, ref, failure } = notice;
  const storeId = await storeOfWithdrawal(tx, id);
  if (storeId === undefined) return false;
  const by: By = { storeId, actor, at };
  const row = await withdrawalById(tx, storeId, id, 'FOR UPDATE');
  if (state === 'accepted') await tx.query(TAKEN, [storeId, id, ref, at]);
  if (state !== 'accepted' && fits(row, state)) {
    const audit = { tenantId: storeId, actor: { id: actor, name: actor, kind: 'system' as const }, at };
    const told = state === 'succeeded' ? undefined : (failure ?? state);
    await moveWithdrawal(tx, { by, audit }, row, { event: EVENT[state], ref: ref || undefined, failure: told });
  } else if (!isOld(row, state))
    await tx.query(ALERT, [storeId, id, `The provider says ${state}, it is ${row.status}`, at]);
  return true;
};

/** Payouts of withdrawals, for who reads the notices of providers. */
export const payoutNotices = (sql: Sql): PayoutNotices => ({
  storeOf: (referenceId) => storeOfWithdrawal(sql, referenceId),
  told: async (tx, { at, actor }, payout) => ((await settlePayout(tx, at, payout, actor)) ? 'payout' : undefined),
});
