export { Refund, RefundInput, refundMethods } from './refunds.dto';
export { refundsEndpoints } from './refunds.endpoints';
export { Refunds, type AccountOf } from './refund.execute';
export { requestRefund } from './refund';
export { refundPayouts } from './refund.notices';
export { REFUNDS_OF_ORDER, storeOfRefund } from './refunds.sql';
export { decideRefund } from './refund.decision';
export { OVERDUE as OVERDUE_REFUND, refundGauges } from './refund.gauges';
