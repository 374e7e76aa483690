import { endpointsOf } from '@platform/http';
import type { Claims } from '@platform/contracts';
import type { ServiceClient } from './features/issuing/service-client.setting';
import type { InspectedToken } from './features/tokens/token-inspector';
import { storeId, userId } from './path-ids';

/** The caller that a handler receives, by guard. */
export interface Callers {
  public: undefined;
  /** HTTP Basic: a service that asks for a token. */
  client: ServiceClient;
  /** A service JWT for us with this scope. */
  identity: ServiceClient;
  introspect: ServiceClient;
  events: ServiceClient;
  /** A valid access or preview token, or a service token for us. */
  any: InspectedToken;
  /** An access token that is valid, or would be had it not expired. */
  lapsed: InspectedToken;
  /** An access token of ours, whatever became of its login since. */
  signed: Claims;
}

const params = { id: userId, user_id: userId, store_id: storeId };

export const endpoint = endpointsOf<Callers>().withDefaults({ params });

/** For sibling services: on the internal port if there is one, documented under their own heading. */
export const internalEndpoint = endpoint.withDefaults({ params, tag: 'internal', internal: true });
