import { secretBoxKeys, trustedProxies } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import { httpUrl, integer, list, optional, secretText, type ConfigOf } from '@platform/runtime';
import { serviceClientList } from './features/issuing/service-client.setting';
import { originList } from './features/web-sessions/origin-list.setting';
import { throttleLimit } from './features/throttle/throttle-limit.setting';

export const settings = {
  /** With REDIS_URL revocations reach verifiers at once; otherwise they poll the feed. */
  ...commonSettings(3001),
  ...databaseSettings(),
  /** Seals signing keys and successor tokens at rest. */
  SIGNING_KEY_SECRET: secretBoxKeys,
  KEY_ROTATE_DAYS: integer(1, 3650, { fallback: 90 }),
  /** Seconds. */
  ACCESS_TTL: integer(900, 3600, { fallback: 3600 }),
  ACCESS_AUD: list({ fallback: ['store-auth', 'chat-backend', 'bot-engine', 'commerce-api'] }),
  SERVICE_CLIENTS: serviceClientList,
  /** KiB, passes and lanes of argon2id; the floor is OWASP's minimum. */
  ARGON2_M: integer(19_456, 1_048_576, { fallback: 19_456 }),
  ARGON2_T: integer(2, 20, { fallback: 2 }),
  ARGON2_P: integer(1, 16, { fallback: 1 }),
  THROTTLE_EMAIL: throttleLimit({ attempts: 5, seconds: 15 * 60 }),
  THROTTLE_IP: throttleLimit({ attempts: 20, seconds: 5 * 60 }),
  /** Logins of one user that succeed: more than a person or a program that forgets its token comes to. */
  THROTTLE_LOGINS: throttleLimit({ attempts: 120, seconds: 3600 }),
  /** Browser sessions that one address may write: anybody may, and each is a row that stays for a day. */
  THROTTLE_SESSION: throttleLimit({ attempts: 60, seconds: 60 }),
  /** Days that the login history is kept. */
  AUTH_EVENTS_DAYS: integer(1, 3650, { fallback: 365 }),
  /** commerce-api, for stock questions; they answer 503 without it. */
  COMMERCE_URL: optional(httpUrl()),
  TRUST_PROXY: trustedProxies,
  /** Origins of pages that may call with cookies. */
  CORS_ORIGINS: originList,
  /** For seeded users that come without a password; a random one is printed when this is not set. */
  SEED_PASSWORD: optional(secretText()),
};

export type Config = ConfigOf<typeof settings>;
