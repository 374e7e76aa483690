export { announcePayment } from './payment.notices';
