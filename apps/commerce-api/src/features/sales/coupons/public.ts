export { discountsFor, type Discounts } from './coupon-check';
export { couponRefusals } from './coupon.rules';
export { exchange, giveBack, hold, holdAgain, holderOf, unuse, use, type Holder } from './redemptions';
