import type { SecretBox } from '@platform/auth';
import { bigintNumber, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { orderChanged } from '../news/public';
import { backBeyondLines, findGoods, lockPayable, settlePayment, standingOf } from '../payments/public';
import { requestRefund } from '../refunds/public';

export const reviewRefusals = {
  notInReview: (): Failure =>
    new Conflict('Nobody has to look at this payment, nor at its order', { code: 'invalid_transition' }),
  billInFull: (): Failure =>
    new Conflict(
      'A bill is paid in full or not at all: give the money back at the provider, and close it with refund',
      {
        code: 'not_supported',
      },
    ),
  onItsWay: (): Failure =>
    new Conflict('Money of the order is on its way back: look again when that refund has ended', {
      code: 'invalid_transition',
    }),
} as const;

/** A payment that somebody has to look at, or whose order they have to. */
export interface Reviewed {
  readonly store_id: string;
  readonly id: string;
  readonly order_id: string | null;
  readonly number: string | null;
  readonly provider: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  /** Of the payment: `amount`: another sum came than was asked for. Of a bill: `overpaid`, `late`. */
  readonly review_reason: string | null;
  readonly order_reason: string | null;
  /** What came in beyond the order's total and was not given back; what was given back for its lines was not that. */
  readonly surplus: number;
  /** What was told of it last. */
  readonly told: string | null;
}

interface Row extends Omit<Reviewed, 'amount' | 'surplus'> {
  readonly amount: string;
  readonly surplus: string;
}

const REVIEWED = `
  SELECT p.store_id, p.id, p.order_id, o.number, p.provider, p.status, p.amount, p.currency, p.review_reason,
    CASE WHEN p.status = 'paid' THEN o.review_reason END AS order_reason,
    greatest(0, coalesce(o.paid_total - o.total, 0) - ${backBeyondLines('p.store_id', 'p.order_id')}) AS surplus,
    (SELECT e.text FROM payment_event e WHERE e.store_id = p.store_id AND e.payment_id = p.id ORDER BY e.at DESC, e.id DESC LIMIT 1) AS told
  FROM payment p LEFT JOIN sales_order o ON o.store_id = p.store_id AND o.id = p.order_id`;

/** SQL of what has gone back of a row `payment`. */
const backOfPayment = (payment: string): string => `
  (SELECT coalesce(sum(r.amount), 0) FROM refund r
    WHERE r.store_id = ${payment}.store_id AND r.payment_id = ${payment}.id AND r.status = 'succeeded')`;

const read = ({ amount, surplus, ...row }: Row): Reviewed => ({
  ...row,
  amount: bigintNumber.from(amount),
  surplus: bigintNumber.from(surplus),
});

/** Of all stores, the oldest first. One of which all has gone back is nobody's to decide on, whatever its order lacks. */
export const paymentsInReview = async (sql: Sql): Promise<Reviewed[]> => {
  const open = `WHERE p.review_reason IS NOT NULL OR p.status = 'paid' AND o.review_reason IS NOT NULL AND p.amount > ${backOfPayment('p')}
    ORDER BY p.updated_at LIMIT 100`;
  return (await sql.query<Row>(`${REVIEWED} ${open}`)).map(read);
};

/** Of whichever store. Throws `NotFound`. */
export const reviewedPayment = async (sql: Sql, id: string): Promise<Reviewed> => {
  const [row] = await sql.query<Row>(`${REVIEWED} WHERE p.id = $1`, [id]);
  if (row) return read(row);
  throw new NotFound('Payment not found');
};

const TAKE = `UPDATE payment SET amount = $3, review_reason = NULL, updated_at = $4
  WHERE store_id = $1 AND id = $2 AND review_reason = 'amount' AND status NOT IN ('paid', 'reversed') RETURNING id`;
const CLEAR_PAYMENT = `UPDATE payment SET review_reason = NULL, status = CASE WHEN status IN ('paid', 'reversed') THEN status ELSE 'failed' END,
  updated_at = $3 WHERE store_id = $1 AND id = $2 AND review_reason IS NOT NULL RETURNING id`;
const CLEAR_ORDER = `UPDATE sales_order SET review_reason = NULL, version = version + 1, updated_at = $3, payment_status = $4
  WHERE store_id = $1 AND id = $2 AND review_reason IS NOT NULL RETURNING id`;
const ORDER_TOLD = `INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $2, $3, $4, 'review', $5, $6)`;

/** Another sum than was asked for came, and is taken: the rest, or what is too much, follows as with any payment. */
const takeOther = async (tx: Sql, by: Writer, payment: Reviewed, came: number | undefined): Promise<string> => {
  const { id, order_id: orderId, currency, told } = payment;
  if (orderId === null) throw reviewRefusals.billInFull();
  if (came === undefined || !Number.isSafeInteger(came) || came <= 0)
    throw new InvalidInput([
      {
        field: 'amount',
        tag: 'required',
        message: `amount is needed: the whole number of ${currency} that came (${told})`,
      },
    ]);
  await lockPayable(tx, by, orderId);
  if ((await tx.query(TAKE, [by.storeId, id, came, by.at])).length === 0) throw reviewRefusals.notInReview();
  return settlePayment(tx, by, id, { amount: came, currency, paidAt: by.at, note: 'accepted by an operator' });
};

/** Nothing is left to be looked at: the money stays. */
const clear = async (tx: Sql, by: Writer, { id, order_id: orderId }: Reviewed): Promise<string> => {
  if (orderId !== null) {
    const order = await lockPayable(tx, by, orderId);
    const cleared = await tx.query(CLEAR_ORDER, [by.storeId, orderId, by.at, standingOf(order)]);
    if (cleared.length > 0) {
      await tx.query(ORDER_TOLD, [
        by.storeId,
        orderId,
        uuidv7(),
        by.at,
        'Looked at by an operator, the money stays',
        by.actor,
      ]);
      await orderChanged(tx, by.storeId, orderId);
      return 'cleared';
    }
  }
  if ((await tx.query(CLEAR_PAYMENT, [by.storeId, id, by.at])).length === 0) throw reviewRefusals.notInReview();
  return 'cleared';
};

const decided = (tx: Sql, by: Writer, payment: Reviewed, outcome: string): Promise<void> => {
  const { id, review_reason, order_reason } = payment;
  const change = {
    before: { review_reason, order_reason },
    after: { review_reason: null, order_reason: null, outcome },
  };
  return audited(tx, by, { action: 'payment.review', type: 'payment', id, ...change });
};

const isOther = ({ review_reason, status }: Reviewed): boolean => review_reason === 'amount' && status !== 'paid';

/**
 * The money of a payment in review is taken: `came` of another sum than was asked for, an order whose goods were gone gets them, whatever
 * else was to be looked at is clear. Resolves to what became of it. Throws `NotFound`, `invalid_transition`, `out_of_stock`, `InvalidInput`
 * and `not_supported`; the transaction is then to be rolled back.
 */
export const acceptPayment = async (tx: Sql, by: Writer, id: string, came?: number): Promise<string> => {
  const payment = await reviewedPayment(tx, id);
  // Before what settles, which is to be the last of the transaction
  await decided(tx, by, payment, 'accepted');
  if (isOther(payment)) return takeOther(tx, by, payment, came);
  // An amount is only of another sum: somebody else has taken it meanwhile
  if (came !== undefined) throw reviewRefusals.notInReview();
  if (payment.order_reason !== 'stock' || payment.order_id === null) return clear(tx, by, payment);
  await findGoods(tx, by, payment.order_id);
  return 'paid';
};

/**
 * Another refund of a locked order that has not ended: an order that was paid twice has two payments in review until the first refund counts.
 * $1 store, $2 order, $3 keys of the review.
 */
const OTHER = `SELECT 1 FROM refund WHERE store_id = $1 AND order_id = $2 AND status IN ('requested', 'processing') AND idempotency_key NOT LIKE $3
  LIMIT 1`;
/** Those of a review that have failed: until then it has one refund, whoever asks for it how often. $1 store, $2 order, $3 keys. */
const FAILED = `SELECT count(*)::int AS refunds FROM refund
  WHERE store_id = $1 AND order_id = $2 AND idempotency_key LIKE $3 AND status = 'failed'`;

interface GivenBack {
  readonly box: SecretBox;
  readonly reason: string;
  /** By provider B its own way, else by hand. */
  readonly method?: 'provider' | 'manual' | undefined;
}

/**
 * The money of a payment in review goes back: what is too much of its order, whichever payment bears that, or all that is left of it. A payment that was never taken is closed; its money
 * is given back where it lies. Once, however often, and anew when it has failed. Throws `NotFound`, `invalid_transition` and what `requestRefund` does.
 */
export const giveBackPayment = async (
  tx: Sql,
  by: Writer,
  id: string,
  { box, reason, method }: GivenBack,
): Promise<string> => {
  const { order_id: orderId } = await reviewedPayment(tx, id);
  if (orderId !== null) await lockPayable(tx, by, orderId);
  const payment = await reviewedPayment(tx, id);
  const { order_reason, provider, surplus, status } = payment;
  await decided(tx, by, payment, 'given back');
  if (status !== 'paid') return clear(tx, by, { ...payment, order_id: null });
  if (orderId === null || order_reason === null) throw reviewRefusals.notInReview();
  const ofReview = [by.storeId, orderId, `% review ${id}%`];
  const isOver = order_reason === 'overpaid';
  if (isOver && (await tx.query(OTHER, ofReview)).length > 0) throw reviewRefusals.onItsWay();
  const isSurplus = isOver && surplus > 0;
  const input = {
    method: method ?? (provider === 'b' ? ('provider' as const) : ('manual' as const)),
    ...{ reason, amount: isSurplus ? surplus : undefined },
  };
  const [failed] = await tx.query<{ refunds: number }>(FAILED, ofReview);
  const key = ['review', id, ...(failed?.refunds ? [failed.refunds] : [])].join(' ');
  const refunding = { ...{ by, audit: by.audit, who: undefined, box, key }, paymentId: isSurplus ? undefined : id };
  const refund = await requestRefund(tx, refunding, orderId, input);
  return `refund ${refund.id} ${refund.status}, ${refund.amount} by ${refund.method}`;
};
