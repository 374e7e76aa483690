import type { Sql } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { byOf, type By } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { invoiceEndpoints } from './invoice/invoice.endpoints';
import { invoicePages } from './invoice/invoice.pages';
import { InvoiceSender } from './sending/invoice.sender';
import type { SendChannel } from './sending/sending.dto';
import { sendingEndpoints, startSending } from './sending/sending.endpoints';

interface Parts extends Pick<AreaParts, 'database' | 'clock' | 'queue'> {
  readonly siblings: Pick<Siblings, 'messages'>;
  readonly mailer: Mailer;
}

interface PapersArea extends Area {
  readonly sendInvoice: (tx: Sql, by: By, orderId: string, channel: SendChannel) => Promise<unknown>;
}

/** What is printed of orders, and sent to buyers. */
export const composePapers = (
  { PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, queue, mailer, siblings: { messages } }: Parts,
): PapersArea => {
  const sender = new InvoiceSender({ sql: database, clock, mailer, messages, pages: { secret, publicUrl } });
  const sending = { queue, hasWhatsapp: messages !== undefined };
  return {
    sendInvoice: (tx, by, orderId, channel) => startSending(tx, sending, by, orderId, { channel }),
    pages: [invoicePages(database)],
    endpoints: [...invoiceEndpoints(database, clock), ...sendingEndpoints({ by: byOf(clock), ...sending })],
    components: [],
    abilities: [],
    jobs: { 'invoice.send': { effect: 'outside', run: (invoice, job) => sender.send(invoice, job) } },
  };
};
