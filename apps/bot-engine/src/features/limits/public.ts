// What other features of this app may use.
export { Limits } from './limits';
export type { Place, TurnLimits } from './limits.types';
