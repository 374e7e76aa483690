export { Refund } from './refunds.dto';
export { refundsEndpoints } from './refunds.endpoints';
export { Refunds, type AccountOf } from './refund.execute';
export { REFUNDS_OF_ORDER } from './refunds.sql';
export { requestRefund } from './refund';
