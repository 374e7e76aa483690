import type { Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import type { JobContext } from '@platform/jobs';
import type { Clock } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { Mailer } from '../../../clients/mail.client';
import type { CommerceJobs } from '../../../jobs';
import { invoiceOf, invoicePdf, paperOf, type OrderInvoice } from '../invoice/public';
import { ownText, toldOrder } from '../../messages/templates/public';
import type { PayPages } from '../../sales/payments/public';
import { letterOf, type Letter } from './invoice.letter';
import { closeSending, openSending, sendingRefusals, type Sending } from './sending.sql';

export interface InvoiceSenderParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Absent: this service knows no chat-backend. */
  readonly messages: ChatMessages | undefined;
  readonly pages: PayPages;
}

interface Sent extends Letter {
  readonly pdf: Buffer;
}

/** Sends invoices as PDF. */
export class InvoiceSender {
  constructor(private readonly parts: InvoiceSenderParts) {}

  /** The job: one message, however often it runs. What will never be sent is given up with its reason, and so is the last try. */
  async send({ storeId, id }: CommerceJobs['invoice.send'], { attempt, maxAttempts }: JobContext): Promise<void> {
    const { sql, clock } = this.parts;
    const sending = await openSending(sql, storeId, id);
    if (!sending) return;
    const close = (reason?: string) => closeSending(sql, { storeId, at: clock.now() }, id, reason);
    try {
      await this.deliver(storeId, id, sending);
    } catch (failure) {
      if (failure instanceof Rejected) return close(failure.message);
      if (attempt >= maxAttempts) await close('It could not be delivered');
      throw failure;
    }
    await close();
  }

  private async deliver(storeId: string, id: string, { orderId, channel }: Sending): Promise<void> {
    const { sql, clock } = this.parts;
    const invoice = await invoiceOf(sql, storeId, orderId);
    const pdf = await invoicePdf(paperOf(invoice), clock.now());
    const letter = await this.letter(storeId, orderId, letterOf(invoice));
    await (channel === 'email'
      ? this.mail(id, invoice, { ...letter, pdf })
      : this.chat(storeId, id, invoice, { ...letter, pdf }));
  }

  /** In the words of the shop, where it has some for who has not paid yet. */
  private async letter(storeId: string, id: string, letter: Letter): Promise<Letter> {
    const { sql, pages, clock } = this.parts;
    const order = await toldOrder(sql, { storeId, id }, pages, clock.now());
    const text = order && !order.isPaid && (await ownText(sql, storeId, 'payment_reminder', order.values));
    return text ? { ...letter, text } : letter;
  }

  private async mail(id: string, invoice: OrderInvoice, { subject, text, filename, pdf }: Sent): Promise<void> {
    const { email } = invoice.buyer;
    if (email === undefined) throw new Rejected(sendingRefusals.noAddress().message);
    const attachments = [{ filename, contentType: 'application/pdf', content: pdf }];
    // Whoever gets a repeat can tell that it is one
    await this.parts.mailer.send({ to: email, subject, text, attachments, messageId: `<${id}@invoices.invalid>` });
  }

  private async chat(storeId: string, id: string, invoice: OrderInvoice, { text, filename, pdf }: Sent): Promise<void> {
    const { messages } = this.parts;
    if (!messages) throw new Rejected(sendingRefusals.noWhatsapp().message);
    const document = { filename, mimetype: 'application/pdf', bytes: pdf };
    await messages.send({ storeId, phone: invoice.buyer.phone, text, document, id });
  }
}
