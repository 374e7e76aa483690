import { tokenAccessSettings } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import { httpUrl, optional, text, type ConfigOf } from '@platform/runtime';

export const settings = {
  ...commonSettings(3005),
  ...databaseSettings(),
  ...tokenAccessSettings('commerce-api'),
  /** Where uploaded files are kept. */
  MEDIA_DIR: text({ fallback: '.data/shop-media' }),
  /** Address of the shop pages as customers see it; without it products carry no `url`. */
  PUBLIC_URL: optional(httpUrl()),
};

export type Config = ConfigOf<typeof settings>;
