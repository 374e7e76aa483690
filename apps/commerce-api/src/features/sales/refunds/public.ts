export { Refund } from './refunds.dto';
export { refundsEndpoints } from './refunds.endpoints';
export { Refunds } from './refund.execute';
export { REFUNDS_OF_ORDER } from './refunds.sql';
export { requestRefund } from './refund';
