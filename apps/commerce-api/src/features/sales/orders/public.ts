export { orderCopies } from './order.copy';
export { OrderRow } from './orders.dto';
export { orderRow } from './orders.examples';
export { orderListing } from './orders.sql';
export { placeOrder, type Placing } from './order-place';
export { quoteOf, type Quote } from './order-quote';
export { amountsOf, orderRefusals } from './order.rules';
export { BuyerInput, paymentMethods, paymentStates, type Order, type PaymentState } from './orders.dto';
export { orderById } from './orders.sql';
