import type { Expiry } from '@platform/data';

const MINUTE = 60_000;

/** Handshakes that are too old to be repeated, and bearers that have ended: clocks of replicas may differ by less than this. */
export const EXPIRED_HANDSHAKES: readonly Expiry[] = [
  { table: 'handshake_replays', column: 'expires_at', keepMs: MINUTE },
  { table: 'access_tokens', column: 'expires_at', keepMs: MINUTE },
];
