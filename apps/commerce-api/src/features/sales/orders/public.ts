export { fulfil } from './order-fulfil';
export { placeOrder, type Placing } from './order-place';
export { feeOf, quoteOf, type Quote } from './order-quote';
export { amountsOf, orderRefusals } from './order.rules';
export { BuyerInput, paymentMethods, paymentStates, type Order, type PaymentState } from './orders.dto';
export { lockOrder, orderById, type LockedOrder } from './orders.sql';
