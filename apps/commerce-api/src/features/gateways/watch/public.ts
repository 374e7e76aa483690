export { applyFact, type Applied, type KnownPayment } from './apply';
export { Watch } from './watch';
export { ASKED, OUTCOME } from './watch.sql';
