import type { Cache } from '@platform/data';
import { refusals } from '../../refusals';

const WINDOW_SECONDS = 60;
const CUSTOMER_TURNS = 10;
const STORE_TURNS = 60;

/** How much a store and a customer may ask (design 3.4). Throws `Unavailable` while it cannot be counted. */
export interface TurnLimits {
  /** Before a message is taken: throws `TooMany` when the store has too many turns. Counts nothing. */
  admit(storeId: string): Promise<void>;
  /** Counts a turn; false when this customer has had too many, which stops two bots talking to each other. */
  turn(storeId: string, conversationKey: string): Promise<boolean>;
}

const storeKey = (storeId: string): string => `turns:store:${storeId}`;

export const turnLimits = (cache: Pick<Cache, 'get' | 'increment'>): TurnLimits => ({
  admit: async (storeId) => {
    if (Number(await cache.get(storeKey(storeId))) >= STORE_TURNS) throw refusals.storeBusy(WINDOW_SECONDS);
  },
  turn: async (storeId, conversationKey) => {
    const [mine] = await Promise.all([
      cache.increment(`turns:customer:${conversationKey}`, WINDOW_SECONDS),
      cache.increment(storeKey(storeId), WINDOW_SECONDS),
    ]);
    return mine <= CUSTOMER_TURNS;
  },
});
