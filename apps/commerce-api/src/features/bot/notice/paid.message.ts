import { bigintNumber, type Database, type Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import type { Logger } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { OrderPaid, Queue } from '../../../jobs';
import { isUnwanted } from '../../contacts/people/public';
import { noticeOfOrder } from './notice.sql';
import { announcePayment } from './payment.notices';

interface Row {
  readonly number: string;
  readonly channel: string;
  readonly phone: string;
  readonly total: string;
  readonly currency: string;
  readonly store: string;
}

/** Nothing is told of an order that is not paid any more. */
const PAID = `
  SELECT o.number, o.channel, o.buyer ->> 'phone' AS phone, o.total, o.currency, s.name AS store
  FROM sales_order o JOIN store s ON s.store_id = o.store_id AND s.status <> 'suspended'
  WHERE o.store_id = $1 AND o.id = $2 AND o.paid_total >= o.total AND o.paid_at IS NOT NULL AND o.refunded_total = 0`;

/** The name of a shop is its owner's text: no line of it becomes one of the message. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

const priceOf = ({ total, currency }: Row): string =>
  new Intl.NumberFormat('id-ID', { style: 'currency', currency, maximumFractionDigits: 0 })
    .format(bigintNumber.from(total))
    .replace(/\s/g, ' ');

/** `order_paid`, until stores have templates of their own. Nothing that somebody typed who is not the shop. */
const textOf = (row: Row): string =>
  `Terima kasih! Pembayaran ${priceOf(row)} untuk pesanan ${row.number} di ${oneLine(row.store)} sudah kami terima.`;

interface Parts {
  readonly database: Database;
  readonly queue: Queue;
  readonly logger: Logger;
  /** Undefined: there is no chat-backend. */
  readonly messages: ChatMessages | undefined;
}

/** Tells buyers that their money has come, each order once: chat-backend sends a message of one id once. */
export class PaidMessages {
  constructor(private readonly parts: Parts) {}

  /** The observer of `order.paid`. The buyer of a bot's order is told by the bot, and by this only when it has not (design 3.1). */
  async send({ storeId, orderId }: OrderPaid): Promise<void> {
    const { database, messages, logger } = this.parts;
    const [row] = await database.query<Row>(PAID, [storeId, orderId]);
    if (!row || (row.channel === 'bot' && (await this.isTheBots(storeId, orderId)))) return;
    if (!messages || (await isUnwanted(database, storeId, row.phone))) return;
    try {
      await messages.send({ storeId, phone: row.phone, text: textOf(row), id: `paid:${orderId}` });
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      logger.error('a buyer will never be told of their payment', { store: storeId, order: orderId, error: failure });
    }
  }

  /** Whether the bot has told the buyer, or is to be asked; then it is. */
  private async isTheBots(storeId: string, orderId: string): Promise<boolean> {
    const { database } = this.parts;
    const notice = await noticeOfOrder(database, storeId, orderId);
    if (!notice || notice.state === 'silent' || notice.state === 'given_up') return false;
    if (notice.state !== 'notified') await this.ask(database, storeId, notice.paymentId);
    return true;
  }

  private ask(sql: Sql, storeId: string, paymentId: string): Promise<void> {
    return announcePayment(sql, this.parts.queue, { storeId, paymentId });
  }
}
