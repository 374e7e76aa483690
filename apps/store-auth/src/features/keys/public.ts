// What other features of this app may use.
export type { KeyRing } from './key-ring.service';
