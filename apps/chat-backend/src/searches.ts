import { sqlState } from '@platform/data';
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

/** Refuses what ran into the limit of those connections. */
export const unlessTooBroad = async <T>(search: Promise<T>): Promise<T> => {
  try {
    return await search;
  } catch (failure) {
    throw sqlState(failure) === QUERY_CANCELED ? refusals.tooBroad() : failure;
  }
};
