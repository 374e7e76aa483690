import type { Sql } from '@platform/data';
import { Conflict } from '@platform/errors';
import type { By } from '../../../by';
import { recordPayment, withdrawAttempts } from '../payments/public';

const OWED = `SELECT 1 FROM sales_order o WHERE o.store_id = $1 AND o.id = $2 AND o.fulfillment_status = 'delivered'
  AND o.payment_method = 'cod' AND o.status IN ('open', 'processing', 'completed') AND o.paid_at IS NULL`;

/** Who has collected it, whoever says so: what a person has taken back is not recorded again. */
const BEARER = 'delivery';

const isWithProvider = (failure: unknown): boolean => failure instanceof Conflict && failure.code === 'gateway_payment';

/**
 * What is paid on delivery is paid when everything has arrived, once, whoever says so first; while an attempt is with a provider, that is
 * waited for. The last write of the transaction, which holds the order's lock.
 */
export const collectOnDelivery = async (tx: Sql, by: By, orderId: string): Promise<void> => {
  const [owed] = await tx.query(OWED, [by.storeId, orderId]);
  if (!owed) return;
  try {
    await recordPayment(tx, by, orderId, { method: 'cod', key: 'delivered', keyOf: BEARER });
  } catch (failure) {
    // The parcel has arrived all the same
    if (!isWithProvider(failure)) throw failure;
  }
};

const COLLECTED = `SELECT 1 FROM sales_order o WHERE o.store_id = $1 AND o.id = $2 AND o.payment_method = 'cod'`;

/**
 * A parcel of a locked order leaves: what its bearer collects stands on the label, so that no provider is to be paid for it any more. Money that
 * comes all the same is settled.
 */
export const leaveToBearer = async (tx: Sql, by: By, orderId: string): Promise<void> => {
  const [collected] = await tx.query(COLLECTED, [by.storeId, orderId]);
  if (collected) await withdrawAttempts(tx, by, orderId, 'Its parcel is on the way: it is paid to whoever brings it');
};
