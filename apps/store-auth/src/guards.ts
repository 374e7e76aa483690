import { basicCredentials, bearerToken, tokenVerifier, type KeySource } from '@platform/auth';
import { tokenTypes } from '@platform/contracts';
import { Unauthenticated } from '@platform/errors';
import { publicGuard, type Guard, type GuardMap, type RequestView } from '@platform/http';
import type { Clock, Logger } from '@platform/runtime';
import type { Callers } from './endpoint';
import type { Scope, ServiceClient } from './features/issuing/service-client.setting';
import type { ServiceClients } from './features/issuing/service-clients';
import type { InspectedToken, TokenInspector } from './features/tokens/token-inspector';
import { refusals } from './refusals';

export interface GuardDependencies {
  readonly clients: ServiceClients;
  readonly tokens: TokenInspector;
  readonly keys: KeySource;
  readonly clock: Clock;
  readonly logger: Logger;
}

const tokenOf = (request: RequestView): string => {
  const token = bearerToken(request);
  if (!token) throw new Unauthenticated({ reason: 'missing' });
  return token;
};

const bearer = <Caller>(check: (token: string) => Promise<Caller>): Guard<Caller> => ({
  label: 'bearer',
  scheme: 'bearer',
  authenticate: async (request) => check(tokenOf(request)),
});

const clientGuard = (clients: ServiceClients): Guard<ServiceClient> => ({
  label: 'client',
  scheme: 'basic',
  authenticate: (request) => {
    const given = basicCredentials(request);
    const client = given && clients.authenticate(given.id, given.secret);
    if (!client) throw new Unauthenticated({ reason: given ? 'invalid' : 'missing' });
    return client;
  },
});

const serviceGuards = ({ clients, keys, clock, logger }: GuardDependencies) => {
  // Without a cache: a key that is taken out of use counts at once
  const only = { audience: 'store-auth', types: [tokenTypes.service], cacheSize: 0 } as const;
  const verifier = tokenVerifier({ ...only, keys, clock, logger });
  return (scope: Scope): Guard<ServiceClient> => ({
    label: 'service',
    scheme: 'bearer',
    refuses: [refusals.scopeMissing],
    authenticate: async (request) => {
      const { sub } = await verifier.verify(tokenOf(request));
      const client = clients.bySubject(sub);
      if (!client) throw new Unauthenticated({ reason: 'invalid' });
      if (!client.scopes.includes(scope)) throw refusals.scopeMissing(scope);
      return client;
    },
  });
};

/** Introspection accepts service tokens for any audience; a caller needs one for us. */
const forUs = async (tokens: TokenInspector, token: string): Promise<InspectedToken> => {
  const inspected = await tokens.inspect(token, Object.values(tokenTypes));
  const audiences = [inspected.claims.aud].flat();
  if (inspected.type === tokenTypes.service && !audiences.includes('store-auth'))
    throw new Unauthenticated({ reason: 'invalid' });
  return inspected;
};

export const createGuards = (parts: GuardDependencies): GuardMap<Callers> => {
  const service = serviceGuards(parts);
  const access = [tokenTypes.access];
  return {
    public: publicGuard,
    client: clientGuard(parts.clients),
    identity: service('identity'),
    introspect: service('introspect'),
    events: service('events'),
    any: bearer((token) => forUs(parts.tokens, token)),
    lapsed: bearer((token) => parts.tokens.inspectLapsed(token, access)),
    signed: bearer((token) => parts.tokens.signed(token, access)),
  };
};
