export type { Buyers } from '../../sales/buyers/public';
export { contactBuyers } from './contact.buyers';
export { countOrders } from './count.orders';
