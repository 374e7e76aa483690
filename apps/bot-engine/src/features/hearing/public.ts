// What other features of this app may use.
export type { Heard, Hearing } from './hearing.types';
