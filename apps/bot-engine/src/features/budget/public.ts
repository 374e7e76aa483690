// What other features of this app may use.
export type { Budget, Exhausted } from './budget.types';
