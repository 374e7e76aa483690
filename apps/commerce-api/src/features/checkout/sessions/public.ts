export type { PlacingParts } from './place-session';
export { Sessions, type SessionParts } from './sessions.service';
export { PRESERVED_DAYS } from './sessions.sql';
export { sessionRefusals } from './session';
