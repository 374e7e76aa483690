import type { Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import type { JobContext } from '@platform/jobs';
import type { Clock } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { Mailer } from '../../../clients/mail.client';
import type { CommerceJobs } from '../../../jobs';
import { invoiceOf, invoicePdf, paperOf, type OrderInvoice } from '../invoice/public';
import { letterOf } from './invoice.letter';
import { closeSending, openSending, sendingRefusals, type Sending } from './sending.sql';

export interface InvoiceSenderParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Absent: this service knows no chat-backend. */
  readonly messages: ChatMessages | undefined;
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
    await (channel === 'email' ? this.mail(id, invoice, pdf) : this.chat(storeId, id, invoice, pdf));
  }

  private async mail(id: string, invoice: OrderInvoice, pdf: Buffer): Promise<void> {
    const { email } = invoice.buyer;
    if (email === undefined) throw new Rejected(sendingRefusals.noAddress().message);
    const { subject, text, filename } = letterOf(invoice);
    const attachments = [{ filename, contentType: 'application/pdf', content: pdf }];
    // Whoever gets a repeat can tell that it is one
    await this.parts.mailer.send({ to: email, subject, text, attachments, messageId: `<${id}@invoices.invalid>` });
  }

  private async chat(storeId: string, id: string, invoice: OrderInvoice, pdf: Buffer): Promise<void> {
    const { messages } = this.parts;
    if (!messages) throw new Rejected(sendingRefusals.noWhatsapp().message);
    const { text, filename } = letterOf(invoice);
    const document = { filename, mimetype: 'application/pdf', bytes: pdf };
    await messages.send({ storeId, phone: invoice.buyer.phone, text, document, id });
  }
}
