import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import type { PayoutNotices } from '../../gateways/notices/public';
import type { PayoutState } from '../../gateways/port';
import { comeBack, contradict, fail, succeed } from './refund.ends';
import type { RefundMethod } from './refunds.dto';
import { NAMED, STANDS, storeOfRefund } from './refunds.sql';

interface Stood {
  readonly order_id: string;
  readonly method: RefundMethod;
}

/** Does what a provider says of a refund's payout; said twice, or in another order, it changes nothing. */
const told = async (
  tx: Sql,
  by: By,
  { order_id: orderId }: Stood,
  { referenceId: id, state, ref, failure = state }: PayoutState & { readonly referenceId: string },
): Promise<void> => {
  if (state === 'accepted') return void (await tx.query(NAMED, [by.storeId, id, ref]));
  if (state === 'succeeded')
    return void ((await succeed(tx, by, orderId, { id, ref })) || (await contradict(tx, by, id, state)));
  // In this order: what was open a moment ago may have gone meanwhile
  const why = { id, why: failure };
  if (!(await fail(tx, by, orderId, why))) await comeBack(tx, by, orderId, why);
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
