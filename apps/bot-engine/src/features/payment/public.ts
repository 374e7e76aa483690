// What other features of this app may use.
export { composePayment } from './payment.composition';
