import type { Audit, Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { Writer } from '../../../by';
import { jobShown, type Job } from '../../../imports/public';
import type { SalesQuery } from '../figures/public';
import type { Shows } from '../../media/links/public';
import type { ReportName } from './files.dto';
import { columnsOf } from './tables';

const KIND = 'report.file';

/** What is to be written, and for whom: what they see is asked again when it is. */
export interface Wanted extends SalesQuery {
  readonly report: ReportName;
  readonly costs: boolean;
  /** Whose chats alone count; undefined: everybody's. */
  readonly handledBy?: string;
  readonly holder: Audit['actor'];
}

/** What the file of a report shows that not everybody who reads reports may see. */
const shownBy = ({ report, costs, handledBy }: Pick<Wanted, 'report' | 'costs' | 'handledBy'>): Shows[] => [
  ...(columnsOf(report, costs).length > columnsOf(report, false).length ? (['costs'] as const) : []),
  ...(handledBy === undefined ? (['everybody'] as const) : []),
];

/** A report that is written, and what opens it. */
interface Written {
  readonly mediaId: string | null;
  readonly shows: readonly Shows[];
}

type StoredJob = Parameters<typeof jobShown>[0];
interface Stored extends StoredJob {
  readonly args: Wanted;
  readonly media_id: string | null;
}

const COLUMNS = `id, kind, state, args, done, total, errors, result, created_at`;
/** All stores have few places among them: one that asks for thousands would keep the others waiting for hours. */
const MOST_WAITING = 10;

export const reportRefusals = {
  tooMany: (): Failure =>
    new Conflict(`A store has at most ${MOST_WAITING} reports that wait to be written`, { code: 'too_many_reports' }),
} as const;

const UNWRITTEN = 'It could not be written';
const errorsOf = (message: string): string => JSON.stringify([{ row: 0, field: 'report', message }]);

/** What is not written for a day never is: its process has died at the last try. $3 errors. */
const END_DEAD = `UPDATE job_row SET state = 'failed', errors = $3, updated_at = $2
  WHERE store_id = $1 AND kind = '${KIND}' AND state IN ('queued', 'running') AND updated_at <= $2::timestamptz - interval '1 day'`;
/** One at a time, so that the limit holds. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('reports ' || $1, 0))`;
const INSERT = `INSERT INTO job_row (store_id, id, kind, state, args, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, '${KIND}', 'queued', $3::jsonb, $4::timestamptz, $4::timestamptz
  WHERE (SELECT count(*) FROM job_row o WHERE o.store_id = $1 AND o.kind = '${KIND}' AND o.state IN ('queued', 'running')) < ${MOST_WAITING}
  RETURNING ${COLUMNS}`;

/** Keeps what is wanted, in the caller's transaction. Throws `too_many_reports`. */
export const addWanted = async (tx: Sql, { storeId, at }: Writer, wanted: Wanted): Promise<Job> => {
  await tx.query(TURN, [storeId]);
  await tx.query(END_DEAD, [storeId, at, errorsOf(UNWRITTEN)]);
  const [row] = await tx.query<Stored>(INSERT, [storeId, uuidv7(), JSON.stringify(wanted), at]);
  if (!row) throw reportRefusals.tooMany();
  return jobShown(row);
};

const FIND = `SELECT ${COLUMNS}, args ->> 'media_id' AS media_id FROM job_row WHERE store_id = $1 AND id = $2 AND kind = '${KIND}'`;

/** The job as its maker sees it, and its file. Throws `NotFound`, also for others. */
export const exportOf = async (
  sql: Sql,
  storeId: string,
  { id, maker }: { readonly id: string; readonly maker: string },
): Promise<Written & { readonly job: Job }> => {
  const [row] = await sql.prepared<Stored>('report of maker', FIND, [storeId, id]);
  if (row?.args.holder.id !== maker) throw new NotFound('Job not found');
  return { job: jobShown(row), mediaId: row.media_id, shows: shownBy(row.args) };
};

/** What a page shows of them. */
const MOST_SHOWN = 10;
const LATEST = `SELECT ${COLUMNS}, args, args ->> 'media_id' AS media_id FROM job_row
  WHERE store_id = $1 AND kind = '${KIND}' AND args -> 'holder' ->> 'id' = $2 ORDER BY created_at DESC, id DESC LIMIT ${MOST_SHOWN}`;

/** A report that somebody asked for, and its file once it is there. */
export interface Asked extends Written {
  readonly job: Job;
  readonly wanted: Pick<Wanted, 'report' | 'from' | 'to'>;
}

/** What somebody has asked for, the newest first. */
export const latestExports = async (sql: Sql, storeId: string, maker: string): Promise<Asked[]> =>
  (await sql.query<Stored>(LATEST, [storeId, maker])).map((row) => ({
    job: jobShown(row),
    wanted: row.args,
    mediaId: row.media_id,
    shows: shownBy(row.args),
  }));

const BEGIN = `UPDATE job_row SET state = 'running', updated_at = $3
  WHERE store_id = $1 AND id = $2 AND state IN ('queued', 'running') RETURNING args`;

/** Undefined once it has ended. */
export const beginWanted = async (sql: Sql, storeId: string, id: string, at: Date): Promise<Wanted | undefined> =>
  (await sql.query<Pick<Stored, 'args'>>(BEGIN, [storeId, id, at]))[0]?.args;

const DONE = `UPDATE job_row SET state = 'done', done = $4, total = $4, args = args || $6::jsonb || jsonb_build_object('media_id', $5::text),
    result = jsonb_build_object('rows', $4::int), updated_at = $3
  WHERE store_id = $1 AND id = $2 AND state = 'running' RETURNING 1`;

interface Ended {
  readonly id: string;
  readonly rows: number;
  readonly mediaId: string;
  /** As it was written. */
  readonly wanted: Wanted;
}

/** In the transaction of the file's row; false when another run has ended it. */
export const endWanted = async (
  tx: Sql,
  storeId: string,
  at: Date,
  { id, rows, mediaId, wanted }: Ended,
): Promise<boolean> => {
  const { costs, handledBy } = wanted;
  return (await tx.query(DONE, [storeId, id, at, rows, mediaId, JSON.stringify({ costs, handledBy })])).length > 0;
};

const FAILED = `UPDATE job_row SET state = 'failed', errors = $4, updated_at = $3
  WHERE store_id = $1 AND id = $2 AND state IN ('queued', 'running')`;
export const failWanted = async (sql: Sql, storeId: string, at: Date, id: string, message = UNWRITTEN): Promise<void> =>
  void (await sql.query(FAILED, [storeId, id, at, errorsOf(message)]));
