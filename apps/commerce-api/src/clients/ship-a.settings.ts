import { choice, httpUrl, integer, optional, secretText } from '@platform/runtime';

/** The provider of courier prices. Without a key it is not asked, and shops ship by their own methods. */
export const shipSettings = {
  /** How it is spoken to: as Komerce runs it now, or as RajaOngkir was before. */
  SHIP_A_DIALECT: choice(['komerce', 'classic'], { fallback: 'komerce' }),
  /** Of the provider; outside production the local sandbox's. */
  SHIP_A_BASE_URL: optional(httpUrl()),
  SHIP_A_KEY: optional(secretText()),
  /** Requests to the provider that one store may cause in a day: the quota of the key is everybody's. */
  SHIP_A_STORE_DAILY: integer(1, 1_000_000, { fallback: 2_000 }),
};
