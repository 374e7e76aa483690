// What other features of this app may use.
export type { ThrottleLimit } from './throttle-limit.setting';
export type { Attempt, LoginThrottle } from './throttle.service';
