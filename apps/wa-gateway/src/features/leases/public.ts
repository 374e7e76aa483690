// What other features of this app may use.
export type { LeaseKeeper } from './lease-keeper';
