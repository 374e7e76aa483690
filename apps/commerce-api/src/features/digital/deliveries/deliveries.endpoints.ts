import { area, dataOf, oneOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { InvoiceSending, sendingRefusals } from '../../papers/sending/public';
import { Resent } from './deliveries.dto';
import { downloadRefusals, downloadToken, type Downloads } from './download';
import { resend, type ResendParts } from './resend';

const endpoint = rowEndpoint.withDefaults({ params: { token: downloadToken } });

export const deliveriesEndpoints = (
  downloads: Downloads,
  by: ReturnType<typeof byOf>,
  parts: ResendParts,
): Endpoint[] =>
  area({ prefix: '/api/digital-store', tag: 'E-commerce' }, [
    endpoint({
      post: '/deliveries/{id}/resend',
      summary: 'Issue a new download link',
      description:
        'As good as the first one was, and sent at once; the old link stops. Once for each `Idempotency-Key`.',
      guard: 'digital.write',
      idempotency: 'optional',
      body: InvoiceSending,
      reply: dataOf(Resent, 'Download link created'),
      refuses: ['notFound', sendingRefusals.noAddress, sendingRefusals.noWhatsapp, invalidTransition],
      handle: (input) =>
        input.once((tx) => resend(tx, by(input), parts, { id: input.params.id, channel: input.body.channel })),
    }),
    endpoint({
      get: '/download/{token}',
      summary: 'Download bought file',
      description:
        'Counts as one download, and leads to the file, which can be fetched for a minute, also in parts; licence keys come as a text at once. A HEAD request does not count.',
      guard: 'download',
      rate: { requests: 60, perSeconds: 60, by: 'address' },
      tenantOf: ({ params }) => (params.token as { readonly storeId: string } | undefined)?.storeId,
      reply: oneOf('redirect', 'bytes'),
      refuses: [downloadRefusals.unknown, downloadRefusals.expired, downloadRefusals.limit],
      handle: ({ params, caller }) => downloads.take(params.token, caller),
    }),
  ]);
