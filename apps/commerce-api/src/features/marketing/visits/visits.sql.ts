import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { DIRECT, sourceOf, type Utm } from '../attribution/public';
import { BEGINS, COUNTS, ENDS, REVENUE, type Days } from '../counting/public';
import { events, type Funnel, type SourceRow, type VisitorEventKind } from './visits.dto';

/** An event as its page tells it. */
export interface Told {
  readonly slug: string;
  readonly event: VisitorEventKind;
  readonly eventId: string;
  readonly visitorId: string;
  readonly consent: boolean;
  readonly utm: Utm;
  readonly at: Date;
}

/** A visit is over when nothing has happened for so long, or when its visitor comes again from somewhere. */
const IDLE = `interval '30 minutes'`;
/** A day has no more sources of a store: anybody can make one up. */
const MOST_SOURCES = 500;
/** Where all others are counted. */
const OTHER = 'other';

/** Beyond these a day counts those who come as it counts who did not agree: anybody can make up visitors, of whom each is a row. */
const MOST_VISITS = 20_000;

const isNewAt = (v: string, at: string, source: string): string => `(${v}.last_at < ${at} - ${IDLE}
  OR (${source} <> '${DIRECT}' AND ${source} <> ${v}.source))`;
const isNew = (v: string): string => isNewAt(v, 'EXCLUDED.last_at', 'EXCLUDED.source');
/** Whether the visit has this event for the first time; before is nothing where the visitor is new. */
const first = (bit: number): string =>
  `((seen.steps & ${bit}) > 0 AND (seen.opened OR (seen.before & ${bit}) = 0))::int`;
const COLUMNS = { viewed: 2, carted: 4, checkouts: 8, purchases: 16 } as const;
const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/**
 * One statement an event: $1 slug, $2 event id, $3 visitor, $4 event, $5 its bit, $6 utm, $7 time, $8 consent. An id that has counted counts
 * nothing; the visitor's row, on which those wait who come at once, decides whether a visit begins and which of its steps are new. Only what
 * counts is remembered, so that rows are as few as the visits of a day may be.
 */
const RECORD = `
  WITH store AS (
    SELECT s.store_id, ($7::timestamptz AT TIME ZONE s.timezone)::date AS day,
      coalesce(${sourceOf(`($6::jsonb) ->> 'source'`)}, ${sourceOf(`($6::jsonb) ->> 'id'`)}, '${DIRECT}') AS source
    FROM global_key k JOIN store s ON s.store_id = k.store_id AND s.status <> 'suspended' WHERE k.kind = 'slug' AND k.value = $1
  ), fresh AS (
    SELECT s.*, $8::boolean AND (EXISTS (SELECT FROM visit v WHERE v.store_id = s.store_id AND v.visitor_id = $3 AND NOT ${isNewAt('v', '$7::timestamptz', 's.source')})
      OR (SELECT coalesce(sum(d.visits), 0) < ${MOST_VISITS} FROM source_daily d WHERE d.store_id = s.store_id AND d.day = s.day)) AS kept
    FROM store s WHERE NOT $8 OR NOT EXISTS (SELECT FROM visit_event e WHERE e.store_id = s.store_id AND e.event_id = $2)
  ), seen AS (
    INSERT INTO visit AS v (store_id, visitor_id, source, visits, steps, first_at, last_at, touch, touched_at)
    SELECT store_id, $3, source, 1, $5::int, $7, $7, CASE WHEN source <> '${DIRECT}' THEN $6::jsonb END, CASE WHEN source <> '${DIRECT}' THEN $7::timestamptz END
    FROM fresh WHERE kept
    ON CONFLICT (store_id, visitor_id) DO UPDATE SET
      visits = v.visits + ${isNew('v')}::int, source = CASE WHEN ${isNew('v')} THEN EXCLUDED.source ELSE v.source END,
      steps = CASE WHEN ${isNew('v')} THEN EXCLUDED.steps ELSE v.steps | EXCLUDED.steps END, last_at = greatest(v.last_at, EXCLUDED.last_at),
      touch = coalesce(EXCLUDED.touch, v.touch), touched_at = coalesce(EXCLUDED.touched_at, v.touched_at)
    RETURNING new.store_id, new.source, new.steps, coalesce(old.steps, 0) AS before, (old.visits IS NULL OR new.visits > old.visits) AS opened
  ), raised AS (
    SELECT store.store_id, day, seen.source, seen.opened::int AS visits, ${names.map((name) => `${first(COLUMNS[name])} AS ${name}`).join(', ')}, 0 AS anonymous
      FROM store JOIN seen USING (store_id)
    UNION ALL SELECT store_id, day, source, 0, 0, 0, 0, 0, 1 FROM fresh WHERE NOT kept
  ), counted AS (
    INSERT INTO source_daily AS d (store_id, day, source, visits, ${names.join(', ')}, anonymous)
    SELECT r.store_id, r.day, CASE WHEN EXISTS (SELECT FROM source_daily x WHERE x.store_id = r.store_id AND x.day = r.day OFFSET ${MOST_SOURCES})
        AND NOT EXISTS (SELECT FROM source_daily x WHERE x.store_id = r.store_id AND x.day = r.day AND x.source = r.source)
      THEN '${OTHER}' ELSE r.source END, r.visits, ${names.map((name) => `r.${name}`).join(', ')}, r.anonymous
    FROM raised r WHERE r.visits + ${names.map((name) => `r.${name}`).join(' + ')} + r.anonymous > 0
    ON CONFLICT (store_id, day, source) DO UPDATE SET ${['visits', ...names, 'anonymous'].map((name) => `${name} = d.${name} + EXCLUDED.${name}`).join(', ')}
  ), remembered AS (
    INSERT INTO visit_event (store_id, event_id, visitor_id, event, at)
    SELECT r.store_id, $2, $3, $4, $7 FROM raised r WHERE r.visits + ${names.map((name) => `r.${name}`).join(' + ')} > 0 ON CONFLICT DO NOTHING
  )
  SELECT store_id FROM store`;

/** Keeps an event, or counts that there was one of somebody who did not agree; resolves to the shop. Throws `NotFound` for one that there is not. */
export const record = async (
  sql: Sql,
  { slug, event, eventId, visitorId, consent, utm, at }: Told,
): Promise<string> => {
  const texts = [slug, eventId, visitorId, event, 1 << events.indexOf(event), JSON.stringify(utm)];
  const values = [...texts, at, consent];
  const [store] = await sql.prepared<{ store_id: string }>('visitor event', RECORD, values);
  if (!store) throw new NotFound('Store not found');
  return store.store_id;
};

const SOURCES = `
  WITH seen AS (
    SELECT source, sum(visits)::int AS visits, sum(anonymous)::int AS anonymous, sum(chats)::int AS chats
    FROM source_daily WHERE store_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY 1
  ), sold AS (
    SELECT coalesce(o.attribution ->> 'source', '${DIRECT}') AS source, count(*)::int AS orders, ${REVENUE}::float8 AS revenue
    FROM sales_order o WHERE o.store_id = $1 AND o.created_at >= ${BEGINS} AND o.created_at < ${ENDS} AND ${COUNTS} GROUP BY 1
  )
  SELECT source, coalesce(visits, 0) AS visits, coalesce(anonymous, 0) AS anonymous, coalesce(chats, 0) AS chats,
    coalesce(orders, 0) AS orders, coalesce(revenue, 0) AS revenue
  FROM seen FULL JOIN sold USING (source) ORDER BY revenue DESC, orders DESC, visits DESC, source LIMIT ${MOST_SOURCES}`;

/** From where visits, chats and what was sold came, the most revenue first. */
export const sourcesOf = (sql: Sql, storeId: string, { from, to }: Days): Promise<SourceRow[]> =>
  sql.prepared<SourceRow>('sources', SOURCES, [storeId, from, to]);

const FUNNEL = `
  SELECT coalesce(sum(visits), 0)::int AS visit, coalesce(sum(viewed), 0)::int AS view_content, coalesce(sum(carted), 0)::int AS add_to_cart,
    coalesce(sum(checkouts), 0)::int AS checkout,
    (SELECT json_build_array(count(*), count(*) FILTER (WHERE o.payment_status IN ('paid', 'partially_refunded', 'refunded')))
      FROM sales_order o WHERE o.store_id = $1 AND o.created_at >= ${BEGINS} AND o.created_at < ${ENDS} AND ${COUNTS}
        AND (o.attribution ->> 'visited')::boolean) AS sold
  FROM source_daily WHERE store_id = $1 AND day BETWEEN $2::date AND $3::date`;

const BASIS_POINTS = 10_000;
type Counts = Readonly<Record<'visit' | 'view_content' | 'add_to_cart' | 'checkout', number>>;

/** How far visits came, from the first page to a paid order. */
export const funnelOf = async (sql: Sql, storeId: string, { from, to }: Days): Promise<Funnel> => {
  type Row = Counts & { readonly sold: readonly [number, number] };
  const rows = await sql.prepared<Row>('funnel', FUNNEL, [storeId, from, to]);
  const { sold, ...seen } = rows[0] as Row;
  const [order, paid] = sold;
  const counts = { ...seen, order, paid };
  const steps = (['visit', 'view_content', 'add_to_cart', 'checkout', 'order', 'paid'] as const).map((step) => ({
    step,
    count: counts[step],
  }));
  return { steps, conversion_bp: seen.visit === 0 ? 0 : Math.round((paid / seen.visit) * BASIS_POINTS) };
};

/** For tests of their plans. */
export const VISIT_STATEMENTS = { sources: SOURCES, funnel: FUNNEL, record: RECORD } as const;
