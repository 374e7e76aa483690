import type { Outage } from '@platform/runtime';
import { addressGroup } from './address-group';
import { enforceRate } from './rate-limit';
import type { RequestView } from './request-view';
import type { Registration, Service } from './service';

type Limiter = (caller: unknown, view: RequestView) => Promise<void>;

/** What is counted before a request to this registration is served: its own limit, then the service's; nothing: undefined. */
export const limiterOf = (
  service: Service,
  { endpoint, path, variant }: Registration,
  counting?: Outage,
): Limiter | undefined => {
  const { counter, callerKey, name, rate: shared } = service;
  const { rate: own } = endpoint;
  const guard = variant === undefined ? endpoint.guard : service.variants?.[variant]?.guard;
  const nameless = variant !== undefined && shared?.guards.includes(endpoint.guard) ? shared.variants : undefined;
  const inCommon = nameless || (guard !== undefined && shared?.guards.includes(guard)) ? shared : undefined;
  if (!counter || (!own && !inCommon)) return undefined;
  return async (caller, { address }) => {
    const known = callerKey?.(caller);
    const group = addressGroup(address);
    const by = { counter, counting };
    if (own) await enforceRate(by, own, path, (own.by === 'caller' ? known : undefined) ?? group);
    if (!inCommon || nameless?.free(address) || inCommon.isFree?.(caller)) return;
    const who = nameless || inCommon.by === 'address' ? group : known;
    if (who !== undefined) await enforceRate(by, inCommon, name, who);
  };
};
