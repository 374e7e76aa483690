import type { ServiceTokens } from '@platform/auth';
import type { Database } from '@platform/data';
import { httpClient } from '@platform/http';
import type { Clock, Component, Logger } from '@platform/runtime';
import { httpCommerce, noCommerce } from './clients/commerce';
import type { CommerceClient } from './clients/commerce.client';
import type { Config } from './config';
import { composeStores } from './features/stores/public';

interface Parts {
  readonly tokens: ServiceTokens;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
}

/** commerce-api as all rooms call it, over one pool of connections. */
const composeCommerce = (
  { COMMERCE_URL, ENGINE_BOT_SECRET: secret }: Pick<Config, 'COMMERCE_URL' | 'ENGINE_BOT_SECRET'>,
  { tokens, clock }: Pick<Parts, 'tokens' | 'clock'>,
): { readonly commerce: CommerceClient; readonly components: readonly Component[] } => {
  if (COMMERCE_URL === undefined) return { commerce: noCommerce(), components: [] };
  const http = httpClient('commerce-api', COMMERCE_URL, { connections: 64 });
  return { commerce: httpCommerce({ http, tokens, secret, clock }), components: [http] };
};

/** And the stores, as they are looked up in it. */
export const composeShops = (config: Config, parts: Parts) => {
  const { commerce, components } = composeCommerce(config, parts);
  return { commerce, components, stores: composeStores(config, { ...parts, commerce }) };
};
