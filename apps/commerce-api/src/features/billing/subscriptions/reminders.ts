import type { Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import { uuidv5, type Logger } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { Mailer } from '../../../clients/mail.client';
import type { CommerceJobs } from '../../../jobs';
import { ownText } from '../../messages/templates/public';

type Reminder = CommerceJobs['subscription.remind'];

/** Who owns a store whose next period is unpaid, and what it costs. */
export const UNPAID = `
  SELECT t.name AS store, p.name, p.email, p.phone, i.number, i.amount, i.currency, i.due_at
  FROM subscription s
    JOIN store t ON t.store_id = s.store_id
    JOIN subscription_purchase b ON b.store_id = s.store_id AND b.subscription_id = s.id AND b.kind = 'renewal' AND b.state = 'open'
    JOIN invoice i ON i.store_id = b.store_id AND i.id = b.invoice_id AND i.status = 'open'
    JOIN person p ON p.user_id = t.owner_user_id
  WHERE s.store_id = $1 AND s.id = $2 AND s.period_end = $3 AND s.status IN ('active', 'past_due')`;

interface Row {
  readonly store: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  readonly due_at: Date;
}

/** Names are other people's texts: no line of them becomes one of the message. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const dayOf = (at: Date): string => new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
const moneyOf = (amount: string, currency: string): string =>
  new Intl.NumberFormat('id-ID', { style: 'currency', currency, maximumFractionDigits: 0 }).format(Number(amount));

const whenOf = (days: number, periodEnd: string): string =>
  days === 0 ? 'berakhir hari ini' : `berakhir ${days} hari lagi, ${dayOf(new Date(periodEnd))}`;

/** Tells a store's owner that the next period of its plan is unpaid. */
export class PlanReminders {
  constructor(
    private readonly parts: {
      readonly sql: Sql;
      readonly mailer: Pick<Mailer, 'send'>;
      /** Undefined: there is no chat-backend. */
      readonly messages: ChatMessages | undefined;
      readonly logger: Logger;
      /** Of the shop's pages. */
      readonly publicUrl: string | undefined;
    },
  ) {}

  /** The job: one message by one channel. Nothing once the bill is paid, or to an owner without a number. */
  async send(reminder: Reminder): Promise<void> {
    const { storeId, id, periodEnd, channel } = reminder;
    const [unpaid] = await this.parts.sql.query<Row>(UNPAID, [storeId, id, periodEnd]);
    if (!unpaid) return;
    await (channel === 'mail' ? this.mail(reminder, unpaid) : this.chat(reminder, unpaid));
  }

  private async mail(reminder: Reminder, unpaid: Row): Promise<void> {
    const { email: to, number, store } = unpaid;
    const subject = `Tagihan ${number} - ${oneLine(store)}`;
    // Whoever gets a repeat can tell that it is one
    const messageId = `<${this.messageOf(reminder)}@plans.invalid>`;
    await this.parts.mailer.send({ to, subject, text: await this.textOf(reminder, unpaid), messageId });
  }

  /** Over the store's own WhatsApp, where it has one. */
  private async chat(reminder: Reminder, unpaid: Row): Promise<void> {
    const { messages, logger } = this.parts;
    const { phone } = unpaid;
    if (!messages || phone === null) return;
    const id = `plan:${this.messageOf(reminder)}`;
    try {
      await messages.send({ storeId: reminder.storeId, phone, text: await this.textOf(reminder, unpaid), id });
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      logger.warn('a reminder of a plan goes by mail only', { store: reminder.storeId, error: failure });
    }
  }

  private messageOf({ id, periodEnd, days }: Reminder): string {
    return uuidv5(id, `${periodEnd} ${days}`);
  }

  /** In the words that the store has for it, if any. */
  private async textOf({ storeId, days, periodEnd }: Reminder, unpaid: Row): Promise<string> {
    const { sql, publicUrl } = this.parts;
    const { store, name, number, amount, currency, due_at } = unpaid;
    const pay_url = publicUrl === undefined ? '' : `${publicUrl}/billing`;
    const values = {
      store_name: store,
      invoice_number: number,
      total: moneyOf(amount, currency),
      due_date: dayOf(due_at),
    };
    const own = await ownText(sql, storeId, 'invoice_due', { ...values, pay_url });
    if (own) return own;
    const where = pay_url === '' ? [] : [`Bayar di ${pay_url}`];
    return [
      `Halo ${oneLine(name)}, paket toko ${oneLine(store)} ${whenOf(days, periodEnd)}.`,
      `Tagihan ${number}: ${moneyOf(amount, currency)}, paling lambat ${dayOf(due_at)}.`,
      ...where,
    ].join('\n');
  }
}
