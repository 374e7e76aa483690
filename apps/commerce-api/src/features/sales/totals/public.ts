export { inapplicable } from './discount';
export { portionDown } from './shares';
export { countedLines, feeOn, totalsOf } from './totals';
export { MOST_MONEY, type Cart, type CartLine, type Discount, type DiscountKind, type Totals } from './totals.types';
