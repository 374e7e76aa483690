import { TooMany } from '@platform/errors';
import { SharedPlaces } from '@platform/runtime';

/** Calls of a model take half a minute: these are fewer than the requests that this process works on at once, and leave the others their places. */
export const MODEL_PLACES = 40;
const OF_A_STORE = 3;
const RETRY_SECONDS = 5;

/** Runs a call that a model answers. Throws `TooMany` when the store, or all of them, have enough of them under way. */
export type ModelTurns = <Answer>(storeId: string, call: () => Promise<Answer>) => Promise<Answer>;

export const modelTurns = (): ModelTurns => {
  const places = new SharedPlaces({ places: MODEL_PLACES, most: OF_A_STORE });
  return async (storeId, call) => {
    const leave = places.take(storeId);
    if (!leave) throw new TooMany('Too Many Requests', { retryAfterSeconds: RETRY_SECONDS });
    try {
      return await call();
    } finally {
      leave();
    }
  };
};
