import { clientAddress, ipAllowlist } from '@platform/auth';
import type { Service } from '@platform/http';
import type { Config } from './config';

/** The client's address: as the proxies of TRUST_PROXY report it, or the peer's own. */
export const clientAddressOf = (config: Config): NonNullable<Service['clientAddress']> => {
  const production = config.APP_ENV === 'production';
  const proxies = ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY', production });
  return (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies);
};
