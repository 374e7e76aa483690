import type { Clock } from '@platform/runtime';
import type { Caller } from './abilities';

/** Who writes in which store, and when; every write of a store's rows is given one. */
export interface By {
  readonly storeId: string;
  /** User id, `svc:<client>`, or the name of a job. */
  readonly actor: string;
  readonly at: Date;
}

/** The caller of an endpoint as the one who writes now. */
export const byOf =
  (clock: Clock) =>
  ({ caller: { storeId, actor } }: { readonly caller: Caller }): By => ({ storeId, actor, at: clock.now() });
