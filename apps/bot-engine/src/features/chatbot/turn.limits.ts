import type { Cache } from '@platform/data';
import { refusals } from '../../refusals';
import type { CustomerMessage } from './customer.message';

const WINDOW_SECONDS = 60;
const CUSTOMER_TURNS = 10;
const STORE_TURNS = 60;

/** Counts a new turn (design 3.4): false when this customer has had too many, which stops two bots talking to each other. */
export type TurnLimits = (message: CustomerMessage) => Promise<boolean>;

/** Throws `TooMany` when the store has too many turns a minute, `Unavailable` while they cannot be counted. */
export const turnLimits =
  (cache: Pick<Cache, 'increment'>): TurnLimits =>
  async ({ storeId, conversationKey }) => {
    if ((await cache.increment(`turns:customer:${conversationKey}`, WINDOW_SECONDS)) > CUSTOMER_TURNS) return false;
    if ((await cache.increment(`turns:store:${storeId}`, WINDOW_SECONDS)) > STORE_TURNS)
      throw refusals.storeBusy(WINDOW_SECONDS);
    return true;
  };
