import type { Expiry } from '@platform/data';
import { firstIdOf } from '../audit/public';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What expires, and for how long it is kept then; of the login history, so many days. */
export const expiredRows = (auditDays: number): readonly Expiry[] => [
  { table: 'challenges', column: 'expires_at', keepMs: 0 },
  { table: 'preview_tokens', column: 'expires_at', keepMs: HOUR },
  // An expired token of an expired login still answers "ekspired" for a week
  { table: 'auth_sessions', column: 'expires_at', keepMs: 7 * DAY },
  // Both open with our key into tokens that are still good; their grace is seconds, and a minute for clocks that differ
  { table: 'refresh_tokens', column: 'used_at', keepMs: MINUTE, clears: 'successor_enc' },
  { table: 'auth_sessions', column: 'prev_until', keepMs: MINUTE, clears: 'successor_enc' },
  { table: 'verification_codes', column: 'expires_at', keepMs: HOUR },
  { table: 'events', column: 'created_at', keepMs: 25 * HOUR },
  // Browser sessions end after a day without use
  { table: 'http_sessions', column: 'last_seen_at', keepMs: DAY },
  // Locks double for a day: design 3.3
  { table: 'throttle', column: 'window_start', keepMs: 48 * HOUR },
  { table: 'auth_events', column: 'id', keepMs: auditDays * DAY, at: firstIdOf },
];
