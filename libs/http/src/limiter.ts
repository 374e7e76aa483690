import type { Outage } from '@platform/runtime';
import { addressGroup } from './address-group';
import { enforceRate } from './rate-limit';
import type { RequestView } from './request-view';
import type { Registration, Service } from './service';

type Limiter = (caller: unknown, view: RequestView, fields?: unknown) => Promise<void>;

/** The limit of a registration for some of its forms: counted once it was read which of them came; nothing: undefined. */
export const formLimiterOf = (
  { counter, callerKey }: Service,
  { endpoint: { rate }, path }: Registration,
  counting?: Outage,
): Limiter | undefined => {
  if (!counter || !rate?.of) return undefined;
  const { of: counts, by } = rate;
  return async (caller, { address }, fields) => {
    const who = (by === 'caller' ? callerKey?.(caller) : undefined) ?? addressGroup(address);
    if (counts(fields)) await enforceRate({ counter, counting }, rate, path, who);
  };
};

const countedAtOnce = ({ rate }: Registration['endpoint']) => (rate?.of ? undefined : rate);

/** What is counted before a request to this registration is read: its own limit, then the service's; nothing: undefined. */
export const limiterOf = (
  service: Service,
  { endpoint, path, variant }: Registration,
  counting?: Outage,
): Limiter | undefined => {
  const { counter, callerKey, name, rate: shared } = service;
  const own = countedAtOnce(endpoint);
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
