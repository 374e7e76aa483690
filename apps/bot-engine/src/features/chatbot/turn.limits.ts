import type { Cache } from '@platform/data';
import { refusals } from '../../refusals';

const WINDOW_SECONDS = 60;
const CUSTOMER_TURNS = 10;
const STORE_TURNS = 60;

/** A place among the turns of a store, until `leave`. */
export interface TurnPlace {
  leave(): Promise<void>;
}

/** How many turns a store and a customer may have (design 3.4). Throws `Unavailable` while they cannot be counted. */
export interface TurnLimits {
  /** Before OFFER; counts nothing. Throws `TooMany` while a new turn of this store would be one too many. */
  refuseWhenFull(storeId: string): Promise<void>;
  /** Once for every lead: counts a turn and takes a place; or says after how long there may be one. */
  begin(storeId: string, token: string): Promise<TurnPlace | { readonly retryAfterMs: number }>;
  /** For every round, by one of its messages; false: this customer has had too many, the round is skipped. */
  customer(conversation: string, idMessage: string): Promise<boolean>;
}

const storeKey = (storeId: string): string => `turns:store:${storeId}`;

export const turnLimits = (cache: Pick<Cache, 'get' | 'increment'>): TurnLimits => ({
  refuseWhenFull: async (storeId) => {
    if (Number(await cache.get(storeKey(storeId))) >= STORE_TURNS) throw refusals.storeBusy(WINDOW_SECONDS);
  },
  begin: async (storeId) => {
    await cache.increment(storeKey(storeId), WINDOW_SECONDS);
    return { leave: () => Promise.resolve() };
  },
  customer: async (conversation) =>
    (await cache.increment(`turns:customer:${conversation}`, WINDOW_SECONDS)) <= CUSTOMER_TURNS,
});
