export { Invoice, InvoiceLine, invoiceKinds, invoiceStates, type InvoiceKind, type InvoiceState } from './invoices.dto';
export {
  invoiceById,
  lockInvoice,
  lockUnpaidInvoices,
  openInvoice,
  payInvoice,
  payInvoiceFromWallet,
  readInvoice,
  type NewInvoice,
  type StoredInvoice,
} from './invoices';
export { INVOICE } from './invoices.sql';
