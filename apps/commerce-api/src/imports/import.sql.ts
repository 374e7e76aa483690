import type { Audit, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Ability } from '../abilities';
import type { ImportMode, Job, RowFault } from './import.dto';
import type { ImportItem } from './import.kind';

/** What is kept of who asked, until the job writes in their name. */
export interface ImportArgs {
  readonly mode: ImportMode;
  readonly needs: readonly Ability[];
  readonly audit: Omit<Audit, 'at'>;
}

export interface StoredJob {
  readonly id: string;
  readonly kind: string;
  readonly state: Job['state'];
  readonly args: ImportArgs;
  readonly done: number;
  readonly total: number;
  readonly errors: RowFault[];
  readonly result: Record<string, number> | null;
  readonly created_at: Date;
}

export const MOST_ERRORS = 500;
const COLUMNS = 'id, kind, state, args, done, total, errors, result, created_at';

/** A job as its page tells it; an answer of the API has the fields of `Job` alone. */
export interface ShownJob extends Job {
  readonly errors: RowFault[];
}

export const jobShown = ({
  id,
  kind,
  state,
  done,
  total,
  errors,
  result,
  created_at,
}: Omit<StoredJob, 'args'>): ShownJob => ({
  ...{ id, kind, state, progress: { done, total }, errors, result },
  created_at: created_at.toISOString(),
});

/** Throws `NotFound`, also for another store's and another kind's. `lock` keeps it as it is until the transaction ends. */
export const jobOf = async (
  sql: Sql,
  storeId: string,
  { kind, id }: { readonly kind: string; readonly id: string },
  lock = '',
): Promise<StoredJob> => {
  const select = `SELECT ${COLUMNS} FROM job_row WHERE store_id = $1 AND id = $2 AND kind = $3 ${lock}`;
  const [row] = await sql.prepared<StoredJob>(`job of store ${lock}`, select, [storeId, id, kind]);
  if (row) return row;
  throw new NotFound('Job not found');
};

/** A store has one preview of a kind. */
const MAKE_ROOM = `DELETE FROM job_row WHERE store_id = $1 AND kind = $2 AND state = 'preview'`;
const INSERT = `INSERT INTO job_row (store_id, id, kind, state, args, total, errors, created_at, updated_at)
  VALUES ($1, $2, $3, 'preview', $4, $5, $6, $7, $7) RETURNING ${COLUMNS}`;
const INSERT_BATCH = 'INSERT INTO job_batch (store_id, job_id, position, items) VALUES ($1, $2, $3, $4)';

export interface NewPreview extends Pick<StoredJob, 'id' | 'kind' | 'args' | 'total' | 'errors'> {
  readonly storeId: string;
  readonly at: Date;
  /** JSON of the items of each batch. */
  readonly batches: readonly string[];
}

/** Keeps a preview in place of the one before. */
export const keepPreview = async (
  tx: Sql,
  { storeId, id, kind, at, batches, ...job }: NewPreview,
): Promise<StoredJob> => {
  await tx.query(MAKE_ROOM, [storeId, kind]);
  const values = [storeId, id, kind, JSON.stringify(job.args), job.total, JSON.stringify(job.errors), at];
  const [row] = await tx.query<StoredJob>(INSERT, values);
  for (const [position, items] of batches.entries()) await tx.query(INSERT_BATCH, [storeId, id, position, items]);
  return row as StoredJob;
};

/** Takes the next batch away, for whoever holds the job's lock; undefined when nothing is left. */
export const takeBatch = async (tx: Sql, storeId: string, id: string): Promise<ImportItem[] | undefined> => {
  const first = 'SELECT min(b.position) FROM job_batch b WHERE b.store_id = $1 AND b.job_id = $2';
  const take = `DELETE FROM job_batch WHERE store_id = $1 AND job_id = $2 AND position = (${first}) RETURNING items`;
  const [batch] = await tx.query<{ items: ImportItem[] }>(take, [storeId, id]);
  return batch?.items;
};

/** Of more faults the last are kept: what a preview left out was shown there. */
export const writeJob = async (
  tx: Sql,
  storeId: string,
  at: Date,
  { id, state, args, done, errors, result }: StoredJob,
): Promise<void> => {
  const update = `UPDATE job_row SET state = $3, args = $4, done = $5, errors = $6, result = $7, updated_at = $8
    WHERE store_id = $1 AND id = $2`;
  const kept = [JSON.stringify(args), done, JSON.stringify(errors.slice(-MOST_ERRORS)), JSON.stringify(result), at];
  await tx.query(update, [storeId, id, state, ...kept]);
};
