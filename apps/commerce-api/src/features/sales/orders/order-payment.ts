import { writeAudit, type Audit, type Database, type Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { recordPayment, reversePayments, type SeenPayment } from '../payments/public';
import { waitingTime } from './order-quote';
import type { Changing } from './order-steps';
import type { Order, PaymentStatusChange } from './orders.dto';
import { orderById } from './orders.sql';

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

const momentOf = (paidAt: string | undefined, now: Date): Date => {
  const at = paidAt === undefined ? now : new Date(paidAt);
  if (at > now) throw wrong('paid_at', 'max', 'must not be in the future');
  return at;
};

const audited = (tx: Sql, audit: Audit, id: string, diff: Parameters<typeof writeAudit>[2]['diff']): Promise<void> =>
  writeAudit(tx, audit, { action: 'payment.record', subject: { type: 'order', id }, diff });

/** A change as somebody asks for it. */
type Asked = PaymentStatusChange & Pick<SeenPayment, 'key'>;

const pay = async (tx: Sql, { by, audit }: Changing, change: Asked): Promise<void> => {
  const { order_id, method, amount, paid_at, note, key } = change;
  if (method === undefined) throw wrong('method', 'required', 'is a required field');
  const seen = { method, amount, paidAt: momentOf(paid_at, by.at), note, key };
  await recordPayment(tx, by, order_id, seen, ({ id, paid_total }, received) =>
    audited(tx, audit, id, {
      paid_total: { from: paid_total, to: paid_total + received },
      method: { to: method },
      ...(note === undefined ? {} : { note: { to: note } }),
    }),
  );
};

const takeBack = async (tx: Sql, { by, audit }: Changing, { order_id, note }: PaymentStatusChange): Promise<void> => {
  const waitsUntil = await waitingTime(tx, by);
  const { id, paid_total } = await reversePayments(tx, by, order_id, { waitsUntil, note });
  await audited(tx, audit, id, { paid_total: { from: paid_total, to: 0 } });
};

/**
 * Records money that was seen for an order, or takes back all that was recorded so. The answer is read after the commit, so that nobody
 * waits for the number of a receipt meanwhile. Throws what `recordPayment` and `reversePayments` do, `InvalidInput` besides.
 */
export const changePayment = async (
  database: Pick<Database, 'tx'> & Sql,
  changing: Changing,
  change: Asked,
): Promise<Order> => {
  await database.tx((tx) => (change.status === 'paid' ? pay : takeBack)(tx, changing, change));
  return orderById(database, changing.by.storeId, change.order_id);
};
