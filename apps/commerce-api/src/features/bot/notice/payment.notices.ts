import type { Database, Sql } from '@platform/data';
import { uuidv7, type Clock, type Logger } from '@platform/runtime';
import type { BotNotices, NoticeAnswer } from '../../../clients/bot.notice';
import type { CommerceJobs, Queue } from '../../../jobs';
import { closeNotice, openNotice, type DueNotice, type NoticeState } from './notice.sql';

/** Seconds between tries: about twenty minutes in all. The buyer waits for a word meanwhile. */
export const DELAYS = [2, 5, 10, 30, 60, 120, 300, 600] as const;

type Paid = CommerceJobs['bot.payment-notice'];

interface Parts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: there is no bot-engine. */
  readonly bot: BotNotices | undefined;
}

const keyOf = ({ paymentId }: Paid): string => `bot:${paymentId}`;

/** In the transaction that learns of the payment: the bot will be told, once however often this is asked. */
export const announcePayment = async (tx: Sql, queue: Queue, { storeId, paymentId }: Paid): Promise<void> => {
  await queue.enqueue(tx, 'bot.payment-notice', { storeId, paymentId }, { key: keyOf({ storeId, paymentId }) });
};

/**
 * Tells the bot engine of payments. Its answer is kept in the same transaction as what follows from it: a buyer of whom the bot has told
 * nobody, or never will, gets the shop's own message, and no other does.
 */
export class PaymentNotices {
  constructor(private readonly parts: Parts) {}

  /** The job. A kill before the answer is kept asks again, and the bot knows the event. */
  async tell(paid: Paid): Promise<void> {
    const { database, bot, clock } = this.parts;
    const due = await openNotice(database, paid, clock.now());
    if (!due) return;
    const answer: NoticeAnswer = bot
      ? await bot.tell(due.notice)
      : { kind: 'refused', reason: 'BOT_URL names no bot engine' };
    if (answer.kind === 'told') return this.close(paid, due, answer.notified ? 'notified' : 'silent');
    if (answer.kind === 'refused') return this.close(paid, due, 'silent');
    const delay = DELAYS[due.tries];
    if (delay === undefined) return this.close(paid, due, 'given_up');
    await this.later(paid, Math.max(delay, answer.afterSeconds ?? 0));
  }

  private async close(paid: Paid, { orderId }: DueNotice, state: NoticeState): Promise<void> {
    const { database, queue, clock, logger } = this.parts;
    const at = clock.now();
    if (state === 'given_up') logger.warn('the bot was not told of a payment', { store: paid.storeId, order: orderId });
    await database.tx(async (tx) => {
      if (!(await closeNotice(tx, paid, state, at)) || state === 'notified') return;
      const news = {
        storeId: paid.storeId,
        orderId,
        eventId: uuidv7(),
        at: at.toISOString(),
        actor: 'bot.payment-notice',
      };
      await queue.enqueue(tx, 'order.paid.message', news, { key: `paid message:${orderId}` });
    });
  }

  private async later(paid: Paid, afterSeconds: number): Promise<void> {
    const { database, queue, clock } = this.parts;
    await database.tx(async (tx) => {
      if (!(await closeNotice(tx, paid, 'waiting', clock.now()))) return;
      await queue.enqueue(tx, 'bot.payment-notice', paid, { key: keyOf(paid), afterSeconds });
    });
  }
}
