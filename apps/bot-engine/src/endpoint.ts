import type { Principal } from '@platform/auth';
import type { Transaction } from '@platform/data';
import { commerceEnvelope } from '@platform/envelopes';
import { endpointsOf, type Endpoint } from '@platform/http';
import type { InternalCaller } from './internal.guard';

export interface Callers {
  readonly public: undefined;
  readonly jwt: Principal;
  readonly service: InternalCaller;
}

export const endpoint = endpointsOf<Callers, Transaction>();

/**
 * A route of `/internal/*` (design 2.10): for commerce-api only, on the internal port only where there is one, a misspelt field is
 * refused. `guard: 'service'` gives the handler `caller.storeId` and `caller.actorId`; `internally` adds the envelope.
 */
export const internalEndpoint = endpoint.withDefaults({ internal: true, unknownKeys: 'refuse', tag: 'internal' });

/** Internal routes answer in commerce-api's envelope, which their caller passes on. */
export const internally = (endpoints: readonly Endpoint[], { production }: { production: boolean }): Endpoint[] => {
  const envelope = commerceEnvelope({ production });
  return endpoints.map((each) => (each.internal ? { ...each, envelope } : each));
};
