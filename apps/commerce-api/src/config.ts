import { commonSettings } from '@platform/http';
import { databaseUrl, httpUrl, list, optional, redisUrl, secretText, text, type ConfigOf } from '@platform/runtime';

export const settings = {
  ...commonSettings(3005),
  DATABASE_URL: databaseUrl(),
  REDIS_URL: optional(redisUrl()),
  TRUST_PROXY: list({ fallback: [] }),
  STORE_AUTH_URL: httpUrl(),
  /** Where the public keys are; store-auth's own address for them unless given. */
  JWT_JWKS_URL: optional(httpUrl()),
  JWT_ISSUER: text({ fallback: 'store-auth' }),
  JWT_AUDIENCE: text({ fallback: 'commerce-api' }),
  SERVICE_CLIENT_ID: text({ fallback: 'commerce-api' }),
  SERVICE_CLIENT_SECRET: secretText(),
  /** Address of the shop pages as customers see it; without it products carry no `url`. */
  PUBLIC_URL: optional(httpUrl()),
};

export type Config = ConfigOf<typeof settings>;
