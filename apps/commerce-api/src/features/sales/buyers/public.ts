export { BOUGHT, boughtBy, ordersForget, ordersMove, type Bought } from './buyers.sql';
export { withoutContacts, type Buyer, type Buyers } from './buyers';
