import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { fail, succeed } from './refund.ends';
import type { RefundState } from './refunds.dto';
import { CALM, STANDS } from './refunds.sql';

/**
 * What an operator has seen in the books of the provider ends an open refund: it has gone, or with `why` it has not, which also answers an
 * alert of one that has failed. Resolves to its state.
 * Throws `NotFound`, `invalid_transition`.
 */
export const decideRefund = async (tx: Sql, by: Writer, id: string, why?: string): Promise<RefundState> => {
  const [row] = await tx.query<{ order_id: string; status: RefundState }>(STANDS, [by.storeId, id]);
  if (!row) throw new NotFound('Refund not found');
  if (row.status === 'failed' && why !== undefined && (await tx.query(CALM, [by.storeId, id])).length > 0)
    return row.status;
  if (row.status !== 'requested' && row.status !== 'processing') throw invalidTransition(row.status);
  const status = why === undefined ? 'succeeded' : 'failed';
  const change = { before: { status: row.status }, after: { status, reason: why ?? null } };
  await audited(tx, by, { action: 'order.refund', type: 'refund', id, ...change });
  const { order_id } = row;
  const wasOpen = await (why === undefined ? succeed(tx, by, order_id, { id }) : fail(tx, by, order_id, { id, why }));
  // Its provider has ended it meanwhile
  if (!wasOpen) throw invalidTransition(row.status);
  return status;
};
