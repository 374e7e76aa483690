export { discountsFor } from './coupon-check';
export { couponRefusals } from './coupon.rules';
export { giveBack, hold } from './redemptions';
