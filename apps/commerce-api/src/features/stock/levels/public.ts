export { book, type Booked, type Booking } from './bookings';
export { MOST_PIECES } from './reservations.sql';
export { commit, release, reserve, type Owner, type StockLine } from './reservations';
export { stockRefusals } from './stock.refusals';
