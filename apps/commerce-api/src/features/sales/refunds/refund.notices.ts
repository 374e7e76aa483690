import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import type { PayoutNotices } from '../../gateways/notices/public';
import type { PayoutState } from '../../gateways/port';
import { comeBack, fail, succeed } from './refund.ends';
import type { RefundMethod, RefundState } from './refunds.dto';
import { ALERT, NAMED, STANDS, storeOfRefund } from './refunds.sql';

/** Why an operator must look at a refund. */
export const contradicted = (says: string, status: RefundState): string => `The provider says ${says}, it is ${status}`;

interface Stood {
  readonly order_id: string;
  readonly method: RefundMethod;
  readonly status: RefundState;
}

const isOpen = (status: RefundState): boolean => status === 'requested' || status === 'processing';

/** Does what a provider says of a refund's payout; said twice, or in another order, it changes nothing. */
const told = async (
  tx: Sql,
  by: By,
  { order_id: orderId, status }: Stood,
  { referenceId: id, state, ref, failure = state }: PayoutState & { readonly referenceId: string },
): Promise<void> => {
  if (state === 'accepted') return void (isOpen(status) && (await tx.query(NAMED, [by.storeId, id, ref])));
  if (state === 'succeeded' && isOpen(status)) return succeed(tx, by, orderId, { id, ref });
  if (state === 'succeeded' && status === 'failed')
    return void (await tx.query(ALERT, [by.storeId, id, contradicted(state, status)]));
  if (state === 'succeeded') return;
  return isOpen(status) ? fail(tx, by, orderId, { id, why: failure }) : comeBack(tx, by, orderId, { id, why: failure });
};

/** Payouts of refunds, for who reads the notices of providers. */
export const refundPayouts = (sql: Sql): PayoutNotices => ({
  storeOf: (referenceId) => storeOfRefund(sql, referenceId),
  told: async (tx, by, payout) => {
    if ((await storeOfRefund(tx, payout.referenceId)) !== by.storeId) return undefined;
    const [stood] = await tx.query<Stood>(STANDS, [by.storeId, payout.referenceId]);
    if (stood?.method !== 'payout') return undefined;
    await told(tx, by, stood, payout);
    return 'payout';
  },
});
