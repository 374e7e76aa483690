export { orderCopies } from './order.copy';
export { OrderRow } from './orders.dto';
export { orderRow } from './orders.examples';
export { orderListing } from './orders.sql';
