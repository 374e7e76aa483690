import type { Sql } from '@platform/data';
import { Binary, oneOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { InvoiceAnswer, InvoiceQuery } from './invoice.dto';
import { invoicePage } from './invoice.page';
import { invoicePdf } from './invoice.pdf';
import { invoiceOf } from './invoice.sql';
import { paperOf } from './paper';

const FILE = { 'Cache-Control': 'private, no-store' };

export const invoiceEndpoints = (sql: Sql, clock: Clock): Endpoint[] => [
  endpoint({
    get: '/api/order/{id}/invoice',
    summary: 'Printable invoice',
    description:
      'In the language and on the clocks of the store. Once the order is paid it is a receipt, with its number.',
    tag: 'E-commerce',
    guard: 'order.read',
    query: InvoiceQuery,
    reply: oneOf(InvoiceAnswer, 'page', 'bytes'),
    refuses: ['notFound'],
    handle: async ({ caller, params, query: { format = 'html' } }) => {
      const data = await invoiceOf(sql, caller.storeId, params.id);
      if (format === 'json') return { data };
      const paper = paperOf(data);
      if (format === 'html') return invoicePage(paper);
      const disposition = `inline; filename="${data.number}.pdf"`;
      const pdf = await invoicePdf(paper, clock.now());
      return new Binary(pdf, 'application/pdf', { ...FILE, 'Content-Disposition': disposition });
    },
  }),
];
