// What other features of this app may use.
export type { Resealed, SealingService } from './sealing.service';
