import { clientAddress, ipAllowlist } from '@platform/auth';
import type { Cache } from '@platform/data';
import { gatewayEnvelope } from '@platform/envelopes';
import type { Service } from '@platform/http';
import type { Config } from './config';
import { createGuards } from './guards';

type Perimeter = Pick<Service, 'guards' | 'envelope' | 'counter' | 'rate' | 'draining' | 'clientAddress'>;

/** What every request meets before its handler (design 2.1 and 6). */
export const composePerimeter = (config: Config, counter: Cache): Perimeter => {
  const { GATEWAY_API_KEY: apiKey, GATEWAY_ALLOWED_IPS: allowedIps, RATE_LIMIT: requests } = config;
  const production = config.APP_ENV === 'production';
  const proxies = ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY', production });
  const stopping = new AbortController();
  const isDraining = (): boolean => stopping.signal.aborted;
  return {
    guards: createGuards({ apiKey, allowedIps, production, isDraining }),
    envelope: gatewayEnvelope({ production }),
    counter,
    rate:
      requests > 0
        ? { requests, perSeconds: 60, by: 'address', guards: ['perimeter', 'linked', 'deliberate'] }
        : undefined,
    draining: () => stopping.abort(),
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
  };
};
