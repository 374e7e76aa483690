/**
 * Where a page of a list sorted newest first begins: after the row with this instant and id, in
 * `(last_at, id)` order. Both are texts as PostgreSQL writes them, so that no precision of a timestamptz is lost.
 */
export interface Keyset {
  readonly lastAt: string;
  readonly id: string;
}

/** Before every row: where the first page begins. */
export const NEWEST: Keyset = { lastAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
