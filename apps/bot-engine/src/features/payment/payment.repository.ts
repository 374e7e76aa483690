import { uuidv7 } from '@platform/runtime';
import type { Sql, Transaction } from '@platform/data';
import type { OrderStatus } from '../../clients/commerce.client';
import type { PaymentNotification } from './payment.dto';

/** Whose order it is, as far as this service has taken it. */
export interface OrderedHere {
  readonly checkoutId: string;
  readonly conversationId: string;
  readonly chatId: string | null;
  /** A person has the chat. */
  readonly isSilent: boolean;
}

/** The checkout stays locked: what else is told of it comes after. */
export const ORDERED = `
  SELECT k.id AS "checkoutId", k.conv_id AS "conversationId", c.chat_id AS "chatId",
    c.handover_at IS NOT NULL AND coalesce(c.resume_at > $3, true) AS "isSilent"
  FROM bot_checkouts k JOIN bot_conversations c ON c.store_id = k.store_id AND c.id = k.conv_id
  WHERE k.store_id = $1 AND k.order_number = $2 FOR UPDATE OF k`;

const HERE = 'SELECT 1 FROM bot_checkouts WHERE store_id = $1 AND order_number = $2';

/** Hints that proved wrong are kept for people to look at; whoever sends them without end fills no table. */
const MOST_UNCONFIRMED = 20;
const UNCONFIRMED = `SELECT 1 FROM bot_payment_events
  WHERE store_id = $1 AND order_number = $2 AND outcome = 'unconfirmed' OFFSET ${MOST_UNCONFIRMED - 1} LIMIT 1`;

const EVENT = `
  INSERT INTO bot_payment_events (store_id, id, id_event, event, order_number, status, outcome, notified, amount, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (store_id, order_number, status) WHERE outcome = 'applied' DO NOTHING RETURNING id`;
const APPLIED = `SELECT notified FROM bot_payment_events WHERE store_id = $1 AND order_number = $2 AND status = $3 AND outcome = 'applied'`;

/** What was paid or has ended does not go back. */
const STATE = `UPDATE bot_checkouts SET state = $3, updated_at = $4 WHERE store_id = $1 AND id = $2 AND state IN ('pending', 'expired', 'cancelled')`;

interface NewEvent {
  readonly outcome: 'applied' | 'unconfirmed';
  readonly notified: boolean;
  readonly at: Date;
}

/** Whether the bot of this store has taken the order. */
export const isOrderedHere = async (sql: Sql, storeId: string, orderNumber: string): Promise<boolean> =>
  (await sql.query(HERE, [storeId, orderNumber])).length > 0;

/** What this service knows of payments, in the caller's transaction. */
export const paymentRows = (
  tx: Transaction,
  { idStore: storeId, orderNumber, idEvent, event }: PaymentNotification,
) => ({
  orderedHere: async (at: Date): Promise<OrderedHere | undefined> =>
    (await tx.query<OrderedHere>(ORDERED, [storeId, orderNumber, at]))[0],

  /** Whether enough hints of this order have proved wrong. */
  isDoubted: async (): Promise<boolean> => (await tx.query(UNCONFIRMED, [storeId, orderNumber])).length > 0,

  /** False when this state of the order was announced before. */
  record: async ({ status, total }: OrderStatus, { outcome, notified, at }: NewEvent): Promise<boolean> => {
    const values = [storeId, uuidv7(), idEvent, event, orderNumber, status, outcome, notified, total, at];
    return (await tx.query(EVENT, values)).length > 0;
  },

  /** Whether the buyer was told of it then. */
  wasNotified: async ({ status }: OrderStatus): Promise<boolean> => {
    const [row] = await tx.query<{ notified: boolean }>(APPLIED, [storeId, orderNumber, status]);
    return row?.notified ?? false;
  },

  mark: async ({ checkoutId }: OrderedHere, { status }: OrderStatus, at: Date): Promise<void> => {
    await tx.query(STATE, [storeId, checkoutId, status, at]);
  },
});
