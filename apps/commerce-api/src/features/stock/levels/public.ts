export { book, type Booked, type BookedAs, type Booking } from './bookings';
export { goodsOf, handBack, handOver, relocate, type WantedGoods } from './handover';
export { come, lockLevels } from './incoming';
export { LOW_STOCK } from './low.sql';
export { LOW_STOCK_OF, watchLowStock } from './low.watch';
export { Movement, movementOf, movementReasons } from './movement.dto';
export { MOST_PIECES } from './reservations.sql';
export { change, commit, release, reserve, unsell, type Owner, type StockLine } from './reservations';
export { stockRefusals } from './stock.refusals';
