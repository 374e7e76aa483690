export type { PlacingParts } from './place-session';
export { Sessions } from './sessions.service';
export { PRESERVED_DAYS } from './sessions.sql';
