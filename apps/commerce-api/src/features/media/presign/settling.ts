import type { Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import type { MediaLibrary } from '../uploads/public';

const NAMES = /(^|_)media_ids?$/;

/** The ids that a body names files by, at any depth. */
const namedIn = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string') return NAMES.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => namedIn(each, name));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => namedIn(each, key))
    : [];
};

/**
 * The same endpoints, which find a file that their body names and that a browser has just put into the object store. It is asked before
 * any transaction begins.
 */
export const settlingFirst = (
  { arrivals }: Pick<MediaLibrary, 'arrivals'>,
  clock: Clock,
  endpoints: readonly Endpoint[],
): Endpoint[] =>
  endpoints.map((endpoint) => {
    if (!endpoint.body) return endpoint;
    const handle: Endpoint['handle'] = async (input) => {
      const ids = namedIn(input.body);
      const caller = input.caller as Caller | undefined;
      if (ids.length > 0 && caller) await arrivals.settle({ storeId: caller.storeId, at: clock.now() }, ids);
      return endpoint.handle(input);
    };
    return { ...endpoint, handle };
  });
