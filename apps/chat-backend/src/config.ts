import { tokenAccessSettings } from '@platform/auth';
import { commonSettings } from '@platform/http';
import {
  databaseUrl,
  httpUrl,
  integer,
  list,
  optional,
  redisUrl,
  secretText,
  text,
  type ConfigOf,
} from '@platform/runtime';

export const settings = {
  ...commonSettings(3002),
  DATABASE_URL: databaseUrl(),
  REDIS_URL: optional(redisUrl()),
  ...tokenAccessSettings('chat-backend'),
  /** Addresses whose calls need no token, on every route (contract). Loopback is never implied. */
  ALLOWED_IPS: list({ fallback: [] }),
  /** Comma list of secrets that sign the gateway's callbacks; empty: not asked for. */
  CALLBACK_SECRET: secretText({ fallback: '' }),
  WA_GATEWAY_URL: httpUrl(),
  /** Empty: nobody answers for the agents. */
  BOT_URL: optional(httpUrl()),
  MEDIA_DIR: text({ fallback: '.data/media' }),
  MEDIA_BASE_URL: optional(httpUrl()),
  /** Signs links to files and list cursors. */
  MEDIA_SECRET: secretText(),
  CORS_ORIGINS: list({ fallback: [] }),
  OUTBOX_MAX_AGE_H: integer(1, 720, { fallback: 24 }),
};

export type Config = ConfigOf<typeof settings>;
