import { sqlState, type Sql } from '@platform/data';
import { TooMany } from '@platform/errors';
import { SharedPlaces } from '@platform/runtime';
import { refusals } from './features/tenancy/refusals';

const QUERY_CANCELED = '57014';

/**
 * Connections of searches and filtered lists. What no index bounds must not hold up what others ask (design section 9: 15 s
 * time-outs drag other calls down). A plan for all values takes the filter's conditions, most of which do not apply, for very
 * selective and reads whole chats in its trust: seconds instead of milliseconds (measured). So these are planned with their
 * values.
 */
export const SEARCHES = {
  name: 'searches',
  poolSize: 4,
  settings: { statement_timeout: '3s', plan_cache_mode: 'force_custom_plan' },
};

/** Of one store at once, in each process: however much it searches for, others find a place (ADR 164). */
const MOST_OF_STORE = 3;
/** So long a search waits for those of its own store, or of all. */
const PATIENCE_MS = 5_000;

const crowded = (cause: unknown): never => {
  throw new TooMany('Too many searches at once', { retryAfterSeconds: 1, cause });
};

/** What searches run on: `sql` has connections as `SEARCHES` says. */
export class Searches {
  private readonly places = new SharedPlaces({ places: SEARCHES.poolSize, most: MOST_OF_STORE });

  constructor(private readonly sql: Sql) {}

  /** Refuses what runs into the limit of those connections, and throws `TooMany` when a search does not get its turn. */
  async run<T>(storeId: string, search: (sql: Sql) => Promise<T>): Promise<T> {
    const leave = await this.places.acquire(storeId, AbortSignal.timeout(PATIENCE_MS)).catch(crowded);
    try {
      return await search(this.sql);
    } catch (failure) {
      throw sqlState(failure) === QUERY_CANCELED ? refusals.tooBroad() : failure;
    } finally {
      leave();
    }
  }
}
