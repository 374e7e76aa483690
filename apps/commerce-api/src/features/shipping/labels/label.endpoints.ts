import { Binary, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { labelPdf } from './label.pdf';
import { labelOf, labelRefusals } from './label.sql';

const FILE = { 'Cache-Control': 'private, no-store' };

export const labelEndpoints = ({ database, clock }: Pick<AreaParts, 'database' | 'clock'>): Endpoint[] => [
  endpoint({
    get: '/api/shipping/shipments/{id}/label',
    summary: 'Printable shipping label',
    description: 'A PDF of A6, in the language of the store.',
    tag: 'Shipping',
    guard: 'order.read',
    reply: 'bytes',
    refuses: ['notFound', labelRefusals.noLabel],
    handle: async ({ caller, params }) => {
      const label = await labelOf(database, caller.storeId, params.id);
      const disposition = `inline; filename="${label.waybill?.replaceAll('/', '-') ?? label.number}.pdf"`;
      const pdf = await labelPdf(label, clock.now());
      return new Binary(pdf, 'application/pdf', { ...FILE, 'Content-Disposition': disposition });
    },
  }),
];
