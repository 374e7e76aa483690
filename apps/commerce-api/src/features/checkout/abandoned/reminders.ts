import type { Sql, Transaction } from '@platform/data';
import { Conflict, NotFound, Rejected, Unavailable, type Failure } from '@platform/errors';
import type { Logger } from '@platform/runtime';
import { createHmac } from 'node:crypto';
import { audited, type Writer } from '../../../by';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { CommerceJobs, Queue } from '../../../jobs';
import { demandMaySend, sends } from '../../../may-send';
import { linkHash, linkOf } from '../../../secret-link';
import { isUnwanted } from '../../contacts/people/public';
import { messageText } from '../../messages/templates/public';
import { PRESERVED_DAYS } from '../sessions/public';

export const reminderRefusals = {
  alreadyReminded: (): Failure =>
    new Conflict('This buyer was reminded within the last 24 hours', { code: 'already_reminded' }),
  noNumber: (): Failure => new Conflict('The buyer has left no number', { code: 'no_number' }),
  unwanted: (): Failure => new Conflict('This contact is blocked or wants no messages', { code: 'opted_out' }),
  noChat: (): Failure => new Unavailable('There is no chat-backend to send with', { retryAfterSeconds: 60 }),
} as const;

const DAY_MS = 86_400_000;

interface Row {
  readonly phone: string | null;
  readonly reminded_at: Date | null;
}

const LOCK = `SELECT buyer ->> 'phone' AS phone, reminded_at FROM checkout_session
  WHERE store_id = $1 AND id = $2 AND state = 'abandoned' FOR UPDATE`;
/** Carts of one number, typed by whomever: it is one person whose phone rings. */
const TURN = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
export const LATELY = `SELECT 1 FROM checkout_session
  WHERE store_id = $1 AND buyer ->> 'phone' = $2 AND reminded_at IS NOT NULL AND reminded_at > $3 LIMIT 1`;
const REMIND = `UPDATE checkout_session SET reminded_at = $3, reminder_hash = $4, expires_at = greatest(expires_at, $5), updated_at = $3
  WHERE store_id = $1 AND id = $2`;
const DUE = `
  SELECT s.buyer ->> 'phone' AS phone, t.name AS store, jsonb_array_length(s.lines) AS lines FROM checkout_session s
    JOIN store t ON t.store_id = s.store_id AND ${sends('t')}
  WHERE s.store_id = $1 AND s.id = $2 AND s.state = 'abandoned' AND s.reminded_at = $3 AND s.buyer ->> 'phone' IS NOT NULL`;

export interface ReminderParts {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly logger: Logger;
  /** Undefined: there is no chat-backend. */
  readonly messages: ChatMessages | undefined;
  /** Of the links in reminders. */
  readonly secret: string;
  /** Of the shop's pages. */
  readonly publicUrl: string | undefined;
}

type Reminder = CommerceJobs['checkout.remind'];

/**
 * Reminders of carts over WhatsApp, each once. The message holds nothing that a stranger could have typed into the form. Its link opens the
 * same cart as the buyer's own, without what they typed, and follows from a secret, so that a try which is repeated sends the same one.
 */
export class Reminders {
  constructor(private readonly parts: ReminderParts) {}

  /** Throws `NotFound`, `already_reminded`, `no_number`, `opted_out`, `plan_ended`, `Unavailable`. */
  async ask(tx: Transaction, by: Writer, id: string): Promise<void> {
    const { queue, messages } = this.parts;
    const { storeId, at } = by;
    if (!messages) throw reminderRefusals.noChat();
    await demandMaySend(tx, storeId);
    const [row] = await tx.query<Row>(LOCK, [storeId, id]);
    if (!row) throw new NotFound('Abandoned cart not found');
    const { phone, reminded_at: before } = row;
    if (phone === null) throw reminderRefusals.noNumber();
    await tx.query(TURN, [`cart reminder ${storeId} ${phone}`]);
    const aDayAgo = new Date(at.getTime() - DAY_MS);
    if ((await tx.query(LATELY, [storeId, phone, aDayAgo])).length > 0) throw reminderRefusals.alreadyReminded();
    if (await isUnwanted(tx, storeId, phone)) throw reminderRefusals.unwanted();
    const reminder = { storeId, id, at: at.toISOString() };
    const opened = new Date(at.getTime() + PRESERVED_DAYS * DAY_MS);
    await tx.query(REMIND, [storeId, id, at, linkHash(this.tokenOf(reminder)), opened]);
    await queue.enqueue(tx, 'checkout.remind', reminder, { key: `remind:${id}` });
    const diff = { before: { reminded_at: before }, after: { reminded_at: at } };
    await audited(tx, by, { action: 'checkout.write', type: 'checkout_session', id, ...diff });
  }

  /** The job. Nothing is sent of a cart that somebody has taken up again, nor to who has said meanwhile that they want nothing. */
  async send(reminder: Reminder): Promise<void> {
    const { sql, messages, logger } = this.parts;
    const { storeId, id, at } = reminder;
    const [due] = await sql.query<{ phone: string; store: string; lines: number }>(DUE, [storeId, id, at]);
    if (!messages || !due || (await isUnwanted(sql, storeId, due.phone))) return;
    const text = await this.textOf(reminder, due);
    const message = { storeId, phone: due.phone, text, id: `cart:${id}:${Date.parse(at)}` };
    try {
      await messages.send(message);
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      logger.error('a reminder will never be sent', { store: storeId, cart: id, error: failure });
    }
  }

  private textOf(
    reminder: Reminder,
    { store, lines }: { readonly store: string; readonly lines: number },
  ): Promise<string> {
    const { sql, publicUrl } = this.parts;
    const cart_url = publicUrl === undefined ? '' : `${publicUrl}/checkout/${this.tokenOf(reminder)}`;
    return messageText(sql, reminder.storeId, 'cart_reminder', {
      store_name: store,
      item_count: String(lines),
      cart_url,
    });
  }

  private tokenOf({ storeId, id, at }: Reminder): string {
    const secret = createHmac('sha256', this.parts.secret).update(`cart ${storeId} ${id} ${at}`).digest('base64url');
    return linkOf(storeId, id, secret);
  }
}
