import { listingOf, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { randomInt } from 'node:crypto';
import { audited, type Writer } from '../../../by';
import { demandSeen } from '../../../web/seen';
import { claim, giveUp, safePage, type Utm } from '../attribution/public';
import { BEGINS, COUNTS, DAY_OF_ORDER, ENDS, REVENUE, type Days } from '../counting/public';
import {
  TrackersQuery,
  type NewTracker,
  type Tracker,
  type TrackerChange,
  type TrackerClicks,
  type TrackerDay,
} from './trackers.dto';

/** As PostgreSQL returns it; only the pages know where it opens. */
export type StoredTracker = Omit<Tracker, 'url'>;
interface Written {
  readonly id: string;
  readonly code: string;
  readonly target: string;
  readonly utm: Utm;
}

const MOST_LINKS = 5000;

export const trackerRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_LINKS} short links`, { code: 'too_many_trackers' }),
  codeTaken: (): Failure => new Conflict('The code is taken', { code: 'code_taken' }),
} as const;

const ORDERS = (
  only = '',
): string => `FROM sales_order o WHERE o.store_id = t.store_id AND o.attribution ->> 'tracker_id' = t.id::text
  AND o.attribution ->> 'tracker_id' IS NOT NULL AND ${COUNTS}${only}`;
const OWN = 't.id, t.code, t.target, t.utm';
/** Orders are counted where they are: whatever is paid or given back later needs no counter. */
const COUNTED = `${OWN},
  (SELECT json_build_object('clicks', coalesce(sum(d.clicks), 0), 'chats', coalesce(sum(d.chats), 0))
    FROM tracker_daily d WHERE d.store_id = t.store_id AND d.tracker_id = t.id) AS counts,
  (SELECT json_build_object('orders', count(*), 'revenue', ${REVENUE}) ${ORDERS()}) AS sold`;
type Counted = Written & {
  readonly counts: Pick<Tracker, 'clicks' | 'chats'>;
  readonly sold: Pick<Tracker, 'orders' | 'revenue'>;
};
const shown = ({ counts, sold, ...tracker }: Counted): StoredTracker => ({ ...tracker, ...counts, ...sold });

export const trackerListing = listingOf(TrackersQuery, {
  from: 'tracker_link t',
  tenant: 't.store_id',
  select: COUNTED,
  sort: { created_at: 't.created_at', code: 't.code' },
  usualSort: '-created_at',
  tie: 't.id',
  words: ['t.code', 't.target'],
  where: {},
  read: shown,
});

const BY_ID = `SELECT ${COUNTED} FROM tracker_link t WHERE t.store_id = $1 AND t.id = $2`;

/** Throws `NotFound`, also for one of another store. */
export const trackerById = async (sql: Sql, storeId: string, id: string): Promise<StoredTracker> => {
  const [row] = await sql.prepared<Counted>('tracker', BY_ID, [storeId, id]);
  if (row) return shown(row);
  throw new NotFound('Short link not found');
};

const LOCK = `SELECT ${OWN} FROM tracker_link t WHERE t.store_id = $1 AND t.id = $2 FOR UPDATE`;
const INSERT = `INSERT INTO tracker_link AS t (store_id, id, code, target, utm, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, $3, $4, $5::jsonb, $6::timestamptz, $6::timestamptz
  FROM tracker_link o WHERE o.store_id = $1 HAVING count(*) < ${MOST_LINKS} RETURNING ${OWN}`;
/** One who adds a link to a store at a time, so that their number stays true. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('trackers ' || $1, 0))`;
const UPDATE = `UPDATE tracker_link t SET target = $3, utm = $4, updated_at = $5
  WHERE t.store_id = $1 AND t.id = $2 RETURNING ${OWN}`;
const DELETE = 'DELETE FROM tracker_link WHERE store_id = $1 AND id = $2';
const AUDIT = { action: 'marketing.write', type: 'tracker' };

/** Without letters and digits that people take for each other. */
const SIGNS = 'abcdefghjkmnpqrstvwxyz23456789';
const CODE_LENGTH = 8;
const newCode = (): string => Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('');

/** The code that was asked for, or one that nobody has. Throws `code_taken`. */
const claimedCode = async (tx: Sql, by: Writer, id: string, asked: string | undefined): Promise<string> => {
  for (;;) {
    const code = asked ?? newCode();
    if (await claim(tx, 'tracker', { value: code, storeId: by.storeId, id })) return code;
    if (asked !== undefined) throw trackerRefusals.codeTaken();
  }
};

/** Throws `code_taken`, `too_many_trackers`, `InvalidInput` for a target that is no web page. */
export const createTracker = async (tx: Sql, by: Writer, given: NewTracker): Promise<StoredTracker> => {
  const [id, target] = [uuidv7(), safePage('target', given.target)];
  await tx.query(TURN, [by.storeId]);
  const code = await claimedCode(tx, by, id, given.code);
  const [row] = await tx.query<Written>(INSERT, [by.storeId, id, code, target, JSON.stringify(given.utm ?? {}), by.at]);
  if (!row) throw trackerRefusals.tooMany();
  await audited(tx, by, { ...AUDIT, id, after: { ...row } });
  return trackerById(tx, by.storeId, id);
};

const locked = async (tx: Sql, storeId: string, id: string): Promise<Written> => {
  const [row] = await tx.query<Written>(LOCK, [storeId, id]);
  if (row) return row;
  throw new NotFound('Short link not found');
};

/** What people change of one. */
export const editableOf = ({ target, utm }: Pick<Written, 'target' | 'utm'>): object => ({ target, utm });

/** What was counted stays. Throws `NotFound`, `InvalidInput`; `version_conflict` when it is not what a form has `seen` any more. */
export const changeTracker = async (
  tx: Sql,
  by: Writer,
  { id, seen }: { readonly id: string; readonly seen?: string },
  change: TrackerChange,
): Promise<StoredTracker> => {
  const before = await locked(tx, by.storeId, id);
  demandSeen(seen, editableOf(before));
  const target = change.target === undefined ? before.target : safePage('target', change.target);
  const values = [by.storeId, id, target, JSON.stringify(change.utm ?? before.utm), by.at];
  const [after] = await tx.query<Written>(UPDATE, values);
  await audited(tx, by, { ...AUDIT, id, before, after: { ...after } });
  return trackerById(tx, by.storeId, id);
};

/** Its code stays with the store. Throws `NotFound`. */
export const deleteTracker = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  const before = await locked(tx, by.storeId, id);
  await tx.query(DELETE, [by.storeId, id]);
  await giveUp(tx, 'tracker', { value: before.code, storeId: by.storeId, at: by.at });
  await audited(tx, by, { ...AUDIT, id, before });
};

const BY_DAY = `
  WITH t AS (SELECT $1::text AS store_id, $4::uuid AS id),
  sold AS (SELECT ${DAY_OF_ORDER} AS day, count(*)::int AS orders, ${REVENUE} AS revenue
    FROM t, sales_order o WHERE o.store_id = $1 AND o.attribution ->> 'tracker_id' = $4::text AND o.attribution ->> 'tracker_id' IS NOT NULL
      AND ${COUNTS} AND o.created_at >= ${BEGINS} AND o.created_at < ${ENDS} GROUP BY 1)
  SELECT g.day::date::text AS day, coalesce(d.clicks, 0)::int AS clicks, coalesce(d.chats, 0)::int AS chats,
    coalesce(s.orders, 0) AS orders, coalesce(s.revenue, 0)::float8 AS revenue
  FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS g(day)
    LEFT JOIN tracker_daily d ON d.store_id = $1 AND d.tracker_id = $4::uuid AND d.day = g.day::date
    LEFT JOIN sold s ON s.day = g.day::date
  ORDER BY 1`;

/** What came of it day by day, where the store is. Throws `NotFound`. */
export const trackerClicks = async (
  sql: Sql,
  storeId: string,
  id: string,
  { from, to }: Days,
): Promise<TrackerClicks> => {
  await trackerById(sql, storeId, id);
  const days = await sql.prepared<TrackerDay>('tracker days', BY_DAY, [storeId, from, to, id]);
  const total = (name: 'clicks' | 'chats' | 'orders' | 'revenue'): number =>
    days.reduce((sum, day) => sum + day[name], 0);
  return { days, clicks: total('clicks'), chats: total('chats'), orders: total('orders'), revenue: total('revenue') };
};

/** For tests of their plans. */
export const TRACKER_STATEMENTS = { byId: BY_ID, byDay: BY_DAY } as const;
