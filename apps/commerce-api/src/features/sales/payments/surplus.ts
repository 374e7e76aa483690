import { bigintNumber, type Sql } from '@platform/data';
import type { By } from '../../../by';
import type { PayableOrder } from './payment.rules';

/** SQL of what an order's refunds have given back that was none of its price, nor for its lines; `ending`: one of them that ends now. */
export const backBeyondLines = (store: string, order: string, ending?: string): string => `
  (SELECT coalesce(sum(coalesce(r.beyond, r.amount)), 0) FROM refund r WHERE r.store_id = ${store} AND r.order_id = ${order}
    AND (r.status = 'succeeded'${ending === undefined ? '' : ` OR r.id = ${ending}`})
    AND NOT EXISTS (SELECT FROM refund_line l WHERE l.store_id = r.store_id AND l.refund_id = r.id))`;

const BACK = `SELECT ${backBeyondLines('$1', '$2', '$3::uuid')}::text AS amount`;

/** What came in beyond the total of a locked order and is not given back, nor by this refund that ends now. */
export const surplusOf = async (
  tx: Sql,
  { storeId }: Pick<By, 'storeId'>,
  { id, paid_total, total }: PayableOrder,
  ending?: string,
): Promise<number> => {
  if (paid_total <= total) return 0;
  const [row] = await tx.query<{ amount: string }>(BACK, [storeId, id, ending ?? null]);
  return paid_total - total - bigintNumber.from(row?.amount ?? '0');
};
