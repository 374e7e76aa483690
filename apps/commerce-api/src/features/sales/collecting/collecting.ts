import type { Sql } from '@platform/data';
import { Conflict } from '@platform/errors';
import type { By } from '../../../by';
import { recordPayment } from '../payments/public';

const OWED = `SELECT 1 FROM sales_order o WHERE o.store_id = $1 AND o.id = $2 AND o.fulfillment_status = 'delivered'
  AND o.payment_method = 'cod' AND o.status IN ('open', 'processing', 'completed') AND o.paid_total < o.total`;

const isWithProvider = (failure: unknown): boolean => failure instanceof Conflict && failure.code === 'gateway_payment';

/**
 * What is paid on delivery is paid when everything has arrived, once, whoever says so first; while an attempt is with a provider, that is
 * waited for. The last write of the transaction, which holds the order's lock.
 */
export const collectOnDelivery = async (tx: Sql, by: By, orderId: string): Promise<void> => {
  const [owed] = await tx.query(OWED, [by.storeId, orderId]);
  if (!owed) return;
  try {
    await recordPayment(tx, by, orderId, { method: 'cod', key: 'delivered' });
  } catch (failure) {
    // The parcel has arrived all the same
    if (!isWithProvider(failure)) throw failure;
  }
};
