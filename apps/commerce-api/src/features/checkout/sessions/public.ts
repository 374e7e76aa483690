export { asSoldOut } from './cart';
export type { PlacingParts } from './place-session';
export { Sessions, type SessionParts } from './sessions.service';
export { PRESERVED_DAYS } from './sessions.sql';
export { sessionKey, sessionRefusals } from './session';
export { SessionItem } from './sessions.dto';
