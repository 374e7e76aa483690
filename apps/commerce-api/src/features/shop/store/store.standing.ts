import type { Sql } from '@platform/data';
import { Conflict, type Failure } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import type { Pushes } from '../../identity/access/public';

export const standingRefusals = {
  already: (status: string): Failure => new Conflict(`The store is ${status} already`, { code: 'invalid_transition' }),
} as const;

/** Not against those who write rows of the store: they may hold what its copies wait for. */
const LOCK = 'SELECT status, suspended_reason FROM store WHERE store_id = $1 FOR NO KEY UPDATE';
/** As every change of a store: its copies elsewhere know by the time which is the later one. */
const WRITE = `UPDATE store SET status = $2, suspended_reason = $3,
  updated_at = greatest($4, updated_at + interval '1 millisecond') WHERE store_id = $1`;

interface Row {
  readonly status: 'open' | 'closed' | 'suspended';
  readonly suspended_reason: string | null;
}

/** Whether a store may do anything at all, which the platform decides. */
export class StoreStanding {
  constructor(private readonly pushes: Pick<Pushes, 'store'>) {}

  /** In the caller's transaction; resolves to what the store is now. Throws `NotFound`, and `invalid_transition` when it is so already. */
  async suspend(tx: Sql, by: Writer, suspended: boolean, reason: string | null = null): Promise<Row['status']> {
    const { storeId, at } = by;
    const [before] = await tx.query<Row>(LOCK, [storeId]);
    if (!before) throw refusals.unknownStore();
    if (suspended === (before.status === 'suspended')) throw standingRefusals.already(before.status);
    const after: Row = suspended
      ? { status: 'suspended', suspended_reason: reason }
      : { status: 'open', suspended_reason: null };
    await tx.query(WRITE, [storeId, after.status, after.suspended_reason, at]);
    await this.pushes.store(tx, storeId);
    await audited(tx, by, { action: 'store.suspend', type: 'store', id: storeId, before, after });
    return after.status;
  }
}
