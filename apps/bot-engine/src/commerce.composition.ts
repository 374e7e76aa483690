import type { ServiceTokens } from '@platform/auth';
import { httpClient } from '@platform/http';
import type { Clock, Component } from '@platform/runtime';
import { httpCommerce, noCommerce } from './clients/commerce';
import type { CommerceClient } from './clients/commerce.client';
import type { Config } from './config';

interface Parts {
  readonly tokens: ServiceTokens;
  readonly clock: Clock;
}

/** commerce-api as all rooms call it, over one pool of connections. */
export const composeCommerce = (
  { COMMERCE_URL, ENGINE_BOT_SECRET: secret }: Pick<Config, 'COMMERCE_URL' | 'ENGINE_BOT_SECRET'>,
  { tokens, clock }: Parts,
): { readonly commerce: CommerceClient; readonly components: readonly Component[] } => {
  if (COMMERCE_URL === undefined) return { commerce: noCommerce(), components: [] };
  const http = httpClient('commerce-api', COMMERCE_URL, { connections: 64 });
  return { commerce: httpCommerce({ http, tokens, secret, clock }), components: [http] };
};
