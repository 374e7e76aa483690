// What other features of this app may use.
export { highestPrice } from './highest.price';
export type { Budget, Exhausted } from './budget.types';
