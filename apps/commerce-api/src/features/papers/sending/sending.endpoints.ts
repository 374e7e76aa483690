import type { Sql } from '@platform/data';
import { dataOf, type Endpoint } from '@platform/http';
import type { By, byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Job } from '../../../imports/public';
import type { Queue } from '../../../jobs';
import { demandMaySend } from '../../../may-send';
import { refusals } from '../../../refusals';
import { invoiceOf } from '../invoice/public';
import { InvoiceSending } from './sending.dto';
import { addSending, sendingRefusals } from './sending.sql';

export interface SendingParts {
  readonly by: ReturnType<typeof byOf>;
  readonly queue: Queue;
  readonly hasWhatsapp: boolean;
}

/** Throws `no_email`, `no_whatsapp`, `NotFound` and `TooMany`. */
export const startSending = async (
  tx: Sql,
  parts: Omit<SendingParts, 'by'>,
  by: By,
  orderId: string,
  { channel }: InvoiceSending,
): Promise<Job> => {
  await demandMaySend(tx, by.storeId);
  const { buyer } = await invoiceOf(tx, by.storeId, orderId);
  if (channel === 'email' && buyer.email === undefined) throw sendingRefusals.noAddress();
  if (channel === 'whatsapp' && !parts.hasWhatsapp) throw sendingRefusals.noWhatsapp();
  const job = await addSending(tx, by, { orderId, channel });
  await parts.queue.enqueue(tx, 'invoice.send', { storeId: by.storeId, id: job.id });
  return job;
};

export const sendingEndpoints = (parts: SendingParts): Endpoint[] => [
  endpoint({
    post: '/api/order/{id}/send_invoice',
    summary: 'Send invoice by WhatsApp or email',
    description:
      'The PDF as a document, to the number or the address of the buyer; once for each `Idempotency-Key`, five times a day.',
    tag: 'E-commerce',
    guard: 'order.write',
    status: 202,
    idempotency: 'optional',
    body: InvoiceSending,
    reply: dataOf(Job),
    refuses: [
      ...(['notFound', refusals.planEnded] as const),
      ...[sendingRefusals.noAddress, sendingRefusals.noWhatsapp, sendingRefusals.tooOften],
    ],
    handle: (input) => input.once((tx) => startSending(tx, parts, parts.by(input), input.params.id, input.body)),
  }),
];
