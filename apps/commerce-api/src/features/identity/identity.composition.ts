import type { ServiceTokens } from '@platform/auth';
import { commerceBareEnvelope } from '@platform/envelopes';
import { httpClient } from '@platform/http';
import type { Area } from '../../area';
import { httpIdentityClient } from '../../clients/store-auth.client';
import type { Config } from '../../config';
import { authEndpoints } from './auth/auth.endpoints';
import { AuthService } from './auth/auth.service';
import { sessionEndpoints } from './auth/session.endpoints';

/** Sign-in, decided by store-auth. */
export const composeIdentity = (
  { STORE_AUTH_URL, APP_ENV }: Config,
  { tokens }: { readonly tokens: ServiceTokens },
): Area => {
  const storeAuth = httpClient('store-auth', STORE_AUTH_URL);
  const auth = new AuthService(httpIdentityClient(storeAuth, tokens));
  const bare = commerceBareEnvelope({ production: APP_ENV === 'production' });
  return {
    endpoints: [...authEndpoints(auth, bare), ...sessionEndpoints(auth, bare)],
    components: [storeAuth],
    abilities: [],
  };
};
