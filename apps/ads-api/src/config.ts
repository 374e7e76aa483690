import { randomBytes } from 'node:crypto';
import { trustedProxies } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import { integer, secretText, text, type ConfigOf } from '@platform/runtime';

export const settings = {
  ...commonSettings(3006),
  ...databaseSettings(),
  TRUST_PROXY: trustedProxies,
  /** Bearers are derived from it, so replicas must share it. A single process in development does with a random one. */
  ADS_BEARER_SECRET: secretText({ fallback: randomBytes(32).toString('base64url'), requiredInProduction: true }),
  ACCESS_TOKEN_TTL_S: integer(60, 86_400, { fallback: 900 }),
  HANDSHAKE_WINDOW_MS: integer(1_000, 3_600_000, { fallback: 600_000 }),
  HANDSHAKE_REPLAY_GRACE_MS: integer(0, 60_000, { fallback: 5_000 }),
  /** Failed handshakes per address and minute; 0 switches the limit off. */
  HANDSHAKE_FAIL_LIMIT_PER_MIN: integer(0, 1_000_000, { fallback: 60 }),
  SIGNED_STRING_TEMPLATE: text({ fallback: '{client_key}|{timestamp}' }),
};

export type Config = ConfigOf<typeof settings>;
