export { fulfil } from './order-fulfil';
export { lockOrder, orderById, type LockedOrder } from './orders.sql';
