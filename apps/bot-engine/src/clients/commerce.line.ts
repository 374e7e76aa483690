import { NotFound, Unavailable, type Failure } from '@platform/errors';
import type { Peer, PeerCall } from '@platform/http';
import { SharedPlaces, withTimeLimit } from '@platform/runtime';
import { CommerceRefusal, NotAvailable } from './commerce.client';
import { isUnknownRoute, Refused } from './commerce.refusals';

/** Calls at once, of all stores and of one: a store whose calls hang leaves the others theirs. */
const PLACES = { places: 96, most: 16 };
const RETRY = { retryAfterSeconds: 5 };

export interface CommerceCall<T> extends PeerCall<T> {
  /** Whose places it takes. */
  readonly tenant: string;
  readonly timeoutMs: number;
  /** It asks for nothing by an id: a 404 is a route that is not there. */
  readonly routeOnly?: boolean;
}

/** All calls to commerce-api, with a share for each store. Rejects as `CommerceClient` says. */
export class CommerceLine {
  private readonly places = new SharedPlaces(PLACES);

  constructor(private readonly peer: Peer) {}

  ask<T extends object>(call: CommerceCall<T>): Promise<T> {
    return withTimeLimit(call.timeoutMs, [call.signal], (signal) => this.asked({ ...call, signal }));
  }

  private async asked<T extends object>({ tenant, routeOnly = false, ...call }: CommerceCall<T>): Promise<T> {
    const { signal } = call;
    const leave = await this.places.acquire(tenant, signal).catch((cause: unknown) => {
      throw new Unavailable('commerce-api has too many calls of this store', { ...RETRY, cause });
    });
    try {
      return await this.peer.ask<T>(call);
    } catch (failure) {
      throw meaningOf(failure as Failure, routeOnly);
    } finally {
      leave();
    }
  }
}

const meaningOf = (failure: Failure, routeOnly: boolean): Error => {
  if (failure instanceof NotFound)
    return routeOnly || isUnknownRoute(failure) ? new NotAvailable('commerce-api has no such route') : failure;
  if (failure instanceof Refused) return new CommerceRefusal(failure.code ?? 'refused', failure.told());
  if (failure instanceof Unavailable) return failure;
  // A token that is refused, nonsense, a bug on one of the sides: nothing that the caller can do about
  return new Unavailable('commerce-api cannot be asked', { ...RETRY, cause: failure });
};
