export { PaperBody } from './invoice.page';
export { invoicePdf } from './invoice.pdf';
export type { OrderInvoice } from './invoice.dto';
export { invoiceOf } from './invoice.sql';
export { paperOf, type Paper } from './paper';
