import { TooMany } from '@platform/errors';
import { SharedPlaces } from '@platform/runtime';

/** So that one tenant, however much it asks for at once, leaves connections and time to the others (architecture section 6). */
export interface TenantShare {
  /** Requests of one tenant that this process works on at once; those beyond wait for their turn, in order. */
  readonly most: number;
  /** Of all tenants together. */
  readonly places: number;
  /** Whose request it is; undefined: it is not counted. */
  readonly tenantOf: (caller: unknown) => string | undefined;
  /** How long a request waits before it is refused; 15 s by default, as long as a statement may take. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 15_000;
const RETRY_SECONDS = 1;

const crowded = (cause: unknown): TooMany =>
  new TooMany('Too Many Requests', { retryAfterSeconds: RETRY_SECONDS, cause });

/**
 * Lets a request in; what it returns, at once or in its turn, gives the place back. `named` is the tenant that its endpoint finds in it,
 * where nobody has a token. Rejects with `TooMany`.
 */
export type Entrance = (caller: unknown, named?: string) => (() => void) | Promise<() => void> | undefined;

/** One for all endpoints of a service. */
export const entranceOf = (share: TenantShare | undefined): Entrance | undefined => {
  if (!share) return undefined;
  const { tenantOf, patienceMs = PATIENCE_MS } = share;
  const inWork = new SharedPlaces(share);
  return (caller, named) => {
    const tenant = named ?? tenantOf(caller);
    if (tenant === undefined) return undefined;
    const leave = inWork.take(tenant);
    if (leave) return leave;
    return inWork.acquire(tenant, AbortSignal.timeout(patienceMs)).catch((cause: unknown) => {
      throw crowded(cause);
    });
  };
};
