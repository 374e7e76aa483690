import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { invoiceEndpoints } from './invoice/invoice.endpoints';
import { InvoiceSender } from './sending/invoice.sender';
import { sendingEndpoints } from './sending/sending.endpoints';

interface Parts extends Pick<AreaParts, 'database' | 'clock' | 'queue'> {
  readonly siblings: Pick<Siblings, 'messages'>;
  readonly mailer: Mailer;
}

/** What is printed of orders, and sent to buyers. */
export const composePapers = (
  { PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, queue, mailer, siblings: { messages } }: Parts,
): Area => {
  const sender = new InvoiceSender({ sql: database, clock, mailer, messages, pages: { secret, publicUrl } });
  return {
    endpoints: [
      ...invoiceEndpoints(database, clock),
      ...sendingEndpoints({ by: byOf(clock), queue, hasWhatsapp: messages !== undefined }),
    ],
    components: [],
    abilities: [],
    jobs: { 'invoice.send': { effect: 'outside', run: (invoice, job) => sender.send(invoice, job) } },
  };
};
