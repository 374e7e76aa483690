import type { Scope } from '../tenancy/public';
import type { SyncRequest } from './sync.dto';
import type { SyncService } from './sync.service';

export type Pushes = Pick<SyncService, 'sync'>;

/**
 * What is pushed reaches every data source (design 5.3), one after the other. Rejects when one fails: who pushes repeats it, and
 * those that have it pass it over. A row counts as applied where any source took it.
 */
export const everySource = (sources: readonly Pushes[]): Pushes => ({
  sync: async (scope: Scope, request: SyncRequest) => {
    let [applied, total] = [0, 0];
    for (const source of sources) {
      const taken = await source.sync(scope, request);
      applied = Math.max(applied, taken.applied);
      total = taken.applied + taken.skipped;
    }
    return { applied, skipped: total - applied };
  },
});
