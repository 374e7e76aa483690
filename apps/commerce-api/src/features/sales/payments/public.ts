export { paidObservers, writePaid } from './paid.observers';
export {
  attemptStates,
  handMethods,
  Payment,
  PaymentRow,
  paymentProviders,
  type AttemptState,
  type HandMethod,
  type PaymentMode,
  type PaymentProvider,
} from './payments.dto';
export { paymentById } from './payments.sql';
export { LIVE } from './attempts.sql';
export {
  endAttempts,
  LEASE_MS,
  liveAttempts,
  openAttempt,
  tellBot,
  withdrawAttempts,
  type AttemptEnd,
  type LiveAttempt,
  type NewAttempt,
  type Payable,
} from './attempts';
export {
  ofPayToken,
  orderOfPayToken,
  orderSeenBy,
  payLinkRefusals,
  payPage,
  payToken,
  payUrlOf,
  type PayPages,
} from './pay-link';
export { PAYMENTS_OF_ORDER } from './payments.sql';
export { dueOf, isLate, leftToPay, paymentRefusals, standingOf, type PayableOrder } from './payment.rules';
export { leavingFrom, leavingOf, PAID_OF_ORDER } from './leaving';
export { paymentsEndpoints } from './payments.endpoints';
export { PaymentKey } from './payments.dto';
export { recordPayment, type SeenPayment } from './record';
export { reversePayments } from './reverse';
export { recountOrders } from './recount';
export { findGoods, keeping, lockPayable, reviewOf, settleNothing, settlePayment, standAnew } from './settle';
export { backBeyondLines, surplusOf } from './surplus';
export { canExpire, goOnWaiting, reviewEnds, waitForReview } from './waiting';
