export { book, type Booked, type BookedAs, type Booking } from './bookings';
export { come, lockLevels } from './incoming';
export { LOW_STOCK } from './low.sql';
export { Movement, movementOf, movementReasons } from './movement.dto';
export { MOST_PIECES } from './reservations.sql';
export { change, commit, release, reserve, unsell, type Owner, type StockLine } from './reservations';
export { stockRefusals } from './stock.refusals';
