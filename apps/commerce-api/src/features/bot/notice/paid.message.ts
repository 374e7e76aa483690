import type { Database, Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { OrderPaid, Queue } from '../../../jobs';
import { isUnwanted } from '../../contacts/people/public';
import { newsText, toldOrder } from '../../messages/templates/public';
import type { PayPages } from '../../sales/payments/public';
import { noticeOfOrder } from './notice.sql';
import { announcePayment } from './payment.notices';

/** Nothing is told of an order that is not paid any more. */
const PAID = `
  SELECT o.channel FROM sales_order o
  WHERE o.store_id = $1 AND o.id = $2 AND o.paid_at IS NOT NULL AND o.paid_total - o.refunded_total >= o.total`;

interface Parts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PayPages;
  /** Undefined: there is no chat-backend. */
  readonly messages: ChatMessages | undefined;
}

/** Tells buyers that their money has come, each order once: chat-backend sends a message of one id once. */
export class PaidMessages {
  constructor(private readonly parts: Parts) {}

  /** The observer of `order.paid`. The buyer of a bot's order is told by the bot, and by this only when it has not (design 3.1). */
  async send({ storeId, orderId }: OrderPaid): Promise<void> {
    const { database, messages, logger } = this.parts;
    const [row] = await database.query<{ channel: string }>(PAID, [storeId, orderId]);
    if (!row || (row.channel === 'bot' && (await this.isTheBots(storeId, orderId)))) return;
    const told = await this.textOf(storeId, orderId);
    if (!messages || !told || (await isUnwanted(database, storeId, told.phone))) return;
    try {
      await messages.send({ storeId, ...told, id: `paid:${orderId}` });
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      logger.error('a buyer will never be told of their payment', { store: storeId, order: orderId, error: failure });
    }
  }

  private async textOf(storeId: string, id: string) {
    const { database, pages, clock } = this.parts;
    const order = await toldOrder(database, { storeId, id }, pages, clock.now());
    const text = order && (await newsText(database, storeId, 'order_paid', order.values));
    return order && text ? { phone: order.phone, text } : undefined;
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
