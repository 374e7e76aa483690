import { tokenAccessSettings } from '@platform/auth';
import { commonSettings } from '@platform/http';
import { databaseUrl, httpUrl, optional, redisUrl, type ConfigOf } from '@platform/runtime';

export const settings = {
  ...commonSettings(3005),
  DATABASE_URL: databaseUrl(),
  REDIS_URL: optional(redisUrl()),
  ...tokenAccessSettings('commerce-api'),
  /** Address of the shop pages as customers see it; without it products carry no `url`. */
  PUBLIC_URL: optional(httpUrl()),
};

export type Config = ConfigOf<typeof settings>;
