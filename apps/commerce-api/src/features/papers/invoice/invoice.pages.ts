import type { Sql } from '@platform/data';
import { page } from '../../../web/page';
import { invoiceOf } from './invoice.sql';
import { InvoiceSheet } from './invoice.view';
import { paperOf } from './paper';

/** What is printed of an order. */
export const invoicePages = (sql: Sql) =>
  page({
    get: '/orders/{id}/invoice',
    ability: 'order.read',
    back: '/orders',
    title: ({ data: { paper, number } }) => `${paper.title} ${number}`,
    load: async ({ viewer: { caller }, params }) => {
      const invoice = await invoiceOf(sql, caller.storeId, params.id ?? '');
      return { paper: paperOf(invoice), number: invoice.number };
    },
    view: InvoiceSheet,
  });
