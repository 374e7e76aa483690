import type { Database, Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock, Component, Logger, Measures } from '@platform/runtime';
import { deleteWhole, originalsOf, type ObjectStore } from '../storage/public';
import { filePlaces, type MediaArrivals } from '../uploads/public';

/** How many rows of a store come before those of the next: one that replaces many pictures keeps nobody waiting. */
const PORTION = 25;
/** Of all stores, in one round. */
const ROUND = 500;
/** What is left after so long comes with the next job, so that two never pile up. */
const MOST_MS = 40_000;
/** Longer than any upload takes to get its row. */
const DAY_MS = 86_400_000;
/** A volume that was not there comes back within this time; until then nothing is given up. */
const MISSED_MS = 7 * DAY_MS;

/** Rows that are due: $1 now, $2 stores of which some could not be removed already. */
export const DUE = `
  SELECT due.store_id, array_agg(due.id) AS ids FROM store s CROSS JOIN LATERAL (
    SELECT m.store_id, m.id FROM media m
    WHERE m.store_id = s.store_id AND m.refs = 0 AND m.sweep_after <= $1 ORDER BY m.sweep_after LIMIT ${PORTION}) due
  WHERE due.store_id <> ALL ($2::text[])
  GROUP BY due.store_id LIMIT ${ROUND}`;

/** Looked at again under their locks: what somebody shows or brings at this moment stays. Whoever holds one comes first. */
const SWEEP = `
  DELETE FROM media WHERE store_id = $1 AND id = ANY (ARRAY(
    SELECT m.id FROM media m WHERE m.store_id = $1 AND m.id = ANY ($2::uuid[]) AND m.refs = 0 AND m.sweep_after <= $3
    FOR UPDATE SKIP LOCKED)) RETURNING key, bytes`;

const KNOWN = 'SELECT key FROM media WHERE key = ANY ($1)';

/** Files that should be there, in the order of the key: $1 and $2 the last one seen, $3 how many. */
export const SHELVED = `
  SELECT store_id, id, key, missing_since IS NOT NULL AS missed FROM media
  WHERE (store_id, id) > ($1, $2::uuid) AND confirmed_at IS NOT NULL ORDER BY store_id, id LIMIT $3`;
const MISSED = `UPDATE media SET missing_since = CASE WHEN $3 THEN coalesce(missing_since, $4) END
  WHERE store_id = $1 AND id = $2 AND confirmed_at IS NOT NULL`;
/** What has long been missed and is shown by nothing goes the way of the others. */
const GIVE_UP = `UPDATE media SET sweep_after = $3 WHERE store_id = $1 AND id = $2 AND refs = 0 AND missing_since <= $4`;
const ROWS = 200;

/** Where a walk over all rows goes on. */
export interface Place {
  readonly storeId: string;
  readonly id: string;
}
const BEGINNING: Place = { storeId: '', id: '00000000-0000-0000-0000-000000000000' };

interface Shelved {
  readonly store_id: string;
  readonly id: string;
  readonly key: string;
  readonly missed: boolean;
}

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly store: ObjectStore;
  readonly arrivals: Pick<MediaArrivals, 'look'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes files that nobody needs: uploads that never came, what nothing shows any more, files without a row. Any number of processes may do
 * it at once, and one that is killed leaves nothing that the next one does not find.
 */
export class MediaSweep implements Component {
  readonly name = 'media-sweep';
  private readonly counted = { media_swept: 0, media_swept_bytes: 0, media_strays_removed: 0, media_missing: 0 };
  readonly measures: Measures = {
    help: {
      media_swept: 'Files removed because nobody needed them, by this process',
      media_swept_bytes: 'Their bytes',
      media_strays_removed: 'Files without a row removed by this process',
      media_missing: 'Rows whose file was not found by the last walk of this process',
    },
    read: () => Promise.resolve({ ...this.counted }),
  };

  constructor(private readonly parts: Parts) {}

  /**
   * Rows whose time is over, a few of every store in turn, each store's in a transaction of its own; resolves to their number. A store that
   * fails is logged and left for the next hour.
   */
  async rows(signal?: AbortSignal): Promise<number> {
    const { database, clock, logger } = this.parts;
    const end = performance.now() + MOST_MS;
    const failed: string[] = [];
    for (let swept = 0; ;) {
      const before = failed.length;
      const due = await database.query<{ store_id: string; ids: string[] }>(DUE, [clock.now(), failed]);
      let done = 0;
      for (const { store_id, ids } of due)
        if (!signal?.aborted && performance.now() < end)
          done += await this.ofStore(store_id, ids).catch((cause: unknown) => this.passOver(store_id, cause, failed));
      swept += done;
      // Behind those that failed there may be more
      if ((done > 0 || failed.length > before) && !signal?.aborted && performance.now() < end) continue;
      // Nothing is due, or the rest is in the hands of others
      if (swept > 0) logger.info('files that nobody needs were removed', { files: swept });
      return swept;
    }
  }

  private passOver(storeId: string, cause: unknown, failed: string[]): number {
    if (cause instanceof Unavailable) throw cause;
    this.parts.logger.error('files of a store that nobody needs could not be removed', { storeId, cause });
    failed.push(storeId);
    return 0;
  }

  private async ofStore(storeId: string, ids: readonly string[]): Promise<number> {
    const { database, store, arrivals, clock } = this.parts;
    // What has come since nobody looked stays. A store that cannot be asked keeps everything, and nobody else waiting
    if (!(await arrivals.look({ storeId, at: clock.now() }, ids))) return 0;
    const gone = await database.tx(async (tx) => {
      const rows = await tx.query<{ key: string; bytes: string }>(SWEEP, [storeId, ids, clock.now()]);
      const sizes = rows.map(({ bytes }) => Number(bytes));
      if (rows.length > 0) await filePlaces.giveBack(tx, storeId, sizes);
      this.counted.media_swept_bytes += sizes.reduce((sum, bytes) => sum + bytes, 0);
      return rows;
    });
    // After the commit: a row never outlives its file. A process that dies here leaves strays
    for (const { key } of gone) await deleteWhole(store, key);
    this.counted.media_swept += gone.length;
    return gone.length;
  }

  /** Files that no row names, and what uploads left behind that were cut off; resolves to their number. */
  async strays(signal?: AbortSignal): Promise<number> {
    const { database, store, clock, logger } = this.parts;
    const before = new Date(clock.now().getTime() - DAY_MS);
    await store.tidy(before);
    let removed = 0;
    for await (const keys of store.lyingSince(before)) {
      if (signal?.aborted) break;
      const known = new Set(
        (await database.query<{ key: string }>(KNOWN, [keys.flatMap(originalsOf)])).map(({ key }) => key),
      );
      for (const key of keys.filter((each) => !originalsOf(each).some((original) => known.has(original)))) {
        await store.delete(key);
        removed += 1;
      }
    }
    this.counted.media_strays_removed += removed;
    if (removed > 0) logger.info('files without a row were removed', { files: removed });
    return removed;
  }

  /**
   * Rows whose file is not there. They are told, and given up only when nothing shows them and the file was missed for a week: a volume may
   * have been away. Resolves to where the walk goes on, when time was up.
   */
  async missing(from = BEGINNING, signal?: AbortSignal): Promise<Place | undefined> {
    const { database, logger } = this.parts;
    const end = performance.now() + MOST_MS;
    let missing = 0;
    for (let place = from; ;) {
      const rows = await database.query<Shelved>(SHELVED, [place.storeId, place.id, ROWS]);
      for (const row of rows) missing += Number(await this.isMissed(row));
      const last = rows.at(-1);
      if (rows.length < ROWS || !last) break;
      place = { storeId: last.store_id, id: last.id };
      if (signal?.aborted || performance.now() > end) return place;
    }
    this.counted.media_missing = missing;
    if (missing > 0) logger.error('files are missing', { files: missing });
    return undefined;
  }

  private async isMissed({ store_id: storeId, id, key, missed }: Shelved): Promise<boolean> {
    const { database, store, clock } = this.parts;
    const isGone = (await store.head(key)) === undefined;
    const now = clock.now();
    if (isGone !== missed) await database.query(MISSED, [storeId, id, isGone, now]);
    else if (isGone) await database.query(GIVE_UP, [storeId, id, now, new Date(now.getTime() - MISSED_MS)]);
    return isGone;
  }
}
