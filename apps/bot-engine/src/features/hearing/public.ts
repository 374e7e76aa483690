// What other features of this app may use.
export { composeHearing, type HearingRoom } from './hearing.composition';
export type { Heard, HeardAround, Hearing } from './hearing.types';
