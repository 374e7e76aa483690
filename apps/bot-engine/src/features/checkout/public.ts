// What other features of this app may use.
export { composeCheckout } from './checkout.composition';
export type { CustomerNotice, WriteNotice } from './customer.notices';
export { writeNotice } from './notice.writer';
export { money } from './rupiah';
