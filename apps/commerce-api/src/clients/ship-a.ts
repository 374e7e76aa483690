import { httpClient, type HttpClient } from '@platform/http';
import { ConfigurationError, type ConfigOf } from '@platform/runtime';
import type { ShippingProvider } from '../features/shipping/port';
import { shipAccount } from './ship-a.account';
import { bundledShipping, noShipping } from './ship-a.bundled';
import { classicShipping } from './ship-a.classic';
import { komerceShipping } from './ship-a.komerce';
import type { shipSettings } from './ship-a.settings';

export type ShipConfig = ConfigOf<typeof shipSettings> & { readonly APP_ENV: string };

export interface OpenShipping {
  readonly provider: ShippingProvider;
  /** Requests that one store may cause in a day. */
  readonly mostADay: number;
  /** Its connection; stopped with the service. */
  readonly components: readonly HttpClient[];
}

const DIALECTS = {
  komerce: { open: komerceShipping, root: '/api/v1' },
  classic: { open: classicShipping, root: '' },
} as const;
const LOCAL = 'http://127.0.0.1:3106';

/** Throws a ConfigurationError: a key must not be sent to a sandbox that is not there. */
export const checkShipping = ({ APP_ENV, SHIP_A_KEY, SHIP_A_BASE_URL }: ShipConfig): void => {
  if (APP_ENV === 'production' && SHIP_A_KEY !== undefined && SHIP_A_BASE_URL === undefined)
    throw new ConfigurationError([
      'SHIP_A_BASE_URL is missing: set it to the provider of courier prices that SHIP_A_KEY is for, or take SHIP_A_KEY out',
    ]);
};

/** The provider of the settings. Without a key a bundled table takes its place, and in production nothing does. */
export const openShipping = (config: ShipConfig): OpenShipping => {
  const { SHIP_A_KEY: key, SHIP_A_BASE_URL: base = LOCAL, SHIP_A_DIALECT, SHIP_A_STORE_DAILY: mostADay } = config;
  if (key === undefined)
    return { provider: config.APP_ENV === 'production' ? noShipping : bundledShipping, mostADay, components: [] };
  const { origin, pathname } = new URL(base);
  const http = httpClient('rajaongkir', origin);
  const { open, root } = DIALECTS[SHIP_A_DIALECT];
  const given = pathname.replace(/\/$/, '');
  const account = shipAccount(http, { root: given === '' ? root : given, key });
  return { provider: open(account), mostADay, components: [http] };
};
