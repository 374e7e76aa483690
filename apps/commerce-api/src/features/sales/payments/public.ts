export { paidObservers, writePaid } from './paid.observers';
export { handMethods, PaymentRow, type HandMethod } from './payments.dto';
export { paidByTransfer } from './payments.examples';
export { PAYMENTS_OF_ORDER } from './payments.sql';
export { paymentRefusals } from './payment.rules';
export { paymentsEndpoints } from './payments.endpoints';
export { recordPayment, type SeenPayment } from './record';
export { reversePayments } from './reverse';
export { findGoods, settleNothing, settlePayment, type PaidFact, type Settled } from './settle';
