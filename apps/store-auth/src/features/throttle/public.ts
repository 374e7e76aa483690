// What other features of this app may use.
export type { Attempt, LoginThrottle } from './throttle.service';
