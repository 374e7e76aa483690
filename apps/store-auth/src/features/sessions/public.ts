// What other features of this app may use.
export type { RefreshRepository } from './refresh.repository';
export type { RefreshService } from './refresh.service';
export type { HeldSession, LiveSession, SessionKind, SessionRepository, WhichSessions } from './session.repository';
export { refreshTokenFor, type SessionGrant, type SessionService } from './session.service';
