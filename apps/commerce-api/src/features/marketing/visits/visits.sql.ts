import type { Sql } from '@platform/data';
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
/** A day that has so many sources of a store gets no more, but for those of one statement: anybody can make one up. */
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

const totals = ['visits', ...names, 'anonymous'] as const;
/** What of a row `r` has counted as a visit or as a step of one. */
const COUNTED = `r.visits + ${names.map((name) => `r.${name}`).join(' + ')}`;
/** Events `u` that would begin a visit. */
const OPENING = 'u.consent AND NOT u.goes_on';

/**
 * One statement for many events, of which no two are of one visitor who agreed: $1 is a list of them. An id that has counted counts nothing;
 * the visitor's row, on which those wait who come at once, decides whether a visit begins and which of its steps are new. Only what counts is
 * remembered, so that rows are as few as the visits of a day may be. Rows are written in the order of their keys. Tells the shop of each event, in
 * their order. JSON, of which PostgreSQL guesses as many rows whatever is in it: of arrays it would take each length for a reason to plan anew, which
 * costs as much as all the rest. What is sought by its whole key is no `EXISTS`, for which a whole table may be read once.
 */
const RECORD = `
  WITH told AS MATERIALIZED (
    SELECT t.*, s.store_id, (t.at AT TIME ZONE s.timezone)::date AS day,
      coalesce(${sourceOf(`t.utm ->> 'source'`)}, ${sourceOf(`t.utm ->> 'id'`)}, '${DIRECT}') AS source
    FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (slug text, event_id text, visitor_id text, event text, step int, utm jsonb, at timestamptz, consent boolean))
        WITH ORDINALITY AS t (slug, event_id, visitor_id, event, step, utm, at, consent, n)
      CROSS JOIN LATERAL (
        SELECT k.store_id FROM global_key k WHERE k.kind = 'slug' AND k.value = t.slug LIMIT 1) AS named
      JOIN store s ON s.store_id = named.store_id AND s.status <> 'suspended'
  ), unknown AS (
    SELECT t.*, t.consent AND EXISTS (SELECT FROM visit v
        WHERE v.store_id = t.store_id AND v.visitor_id = t.visitor_id AND NOT ${isNewAt('v', 't.at', 't.source')}) AS goes_on
    FROM told t
    WHERE NOT t.consent OR ((SELECT 1 FROM visit_event e WHERE e.store_id = t.store_id AND e.event_id = t.event_id) IS NULL
      AND NOT EXISTS (SELECT FROM told o WHERE o.consent AND o.store_id = t.store_id AND o.event_id = t.event_id AND o.n < t.n))
  ), days AS (
    SELECT u.store_id, u.day, (SELECT coalesce(sum(d.visits), 0) FROM source_daily d WHERE d.store_id = u.store_id AND d.day = u.day) AS visits
    FROM unknown u WHERE ${OPENING} GROUP BY 1, 2
  ), fresh AS (
    SELECT u.*, u.consent AND (u.goes_on
      OR d.visits + count(*) FILTER (WHERE ${OPENING}) OVER (PARTITION BY u.store_id, u.day ORDER BY u.n) <= ${MOST_VISITS}) AS kept
    FROM unknown u LEFT JOIN days d USING (store_id, day)
  ), seen AS (
    INSERT INTO visit AS v (store_id, visitor_id, source, visits, steps, first_at, last_at, touch, touched_at)
    SELECT store_id, visitor_id, source, 1, step, at, at, CASE WHEN source <> '${DIRECT}' THEN utm END, CASE WHEN source <> '${DIRECT}' THEN at END
    FROM fresh WHERE kept ORDER BY store_id, visitor_id
    ON CONFLICT (store_id, visitor_id) DO UPDATE SET
      visits = v.visits + ${isNew('v')}::int, source = CASE WHEN ${isNew('v')} THEN EXCLUDED.source ELSE v.source END,
      steps = CASE WHEN ${isNew('v')} THEN EXCLUDED.steps ELSE v.steps | EXCLUDED.steps END, last_at = greatest(v.last_at, EXCLUDED.last_at),
      touch = coalesce(EXCLUDED.touch, v.touch), touched_at = coalesce(EXCLUDED.touched_at, v.touched_at)
    RETURNING new.store_id, new.visitor_id, new.source, new.steps, coalesce(old.steps, 0) AS before,
      (old.visits IS NULL OR new.visits > old.visits) AS opened
  ), raised AS (
    SELECT f.store_id, f.day, f.event_id, f.visitor_id, f.event, f.at, seen.source, seen.opened::int AS visits,
      ${names.map((name) => `${first(COLUMNS[name])} AS ${name}`).join(', ')}, 0 AS anonymous
    FROM fresh f JOIN seen USING (store_id, visitor_id) WHERE f.kept
    UNION ALL SELECT f.store_id, f.day, NULL, NULL, NULL, NULL, f.source, 0, 0, 0, 0, 0, 1 FROM fresh f WHERE NOT f.kept
  ), counted AS (
    INSERT INTO source_daily AS d (store_id, day, source, ${totals.join(', ')})
    SELECT r.store_id, r.day, CASE WHEN EXISTS (SELECT FROM source_daily x WHERE x.store_id = r.store_id AND x.day = r.day OFFSET ${MOST_SOURCES})
        AND (SELECT 1 FROM source_daily x WHERE x.store_id = r.store_id AND x.day = r.day AND x.source = r.source) IS NULL
      THEN '${OTHER}' ELSE r.source END AS place, ${totals.map((name) => `sum(r.${name})`).join(', ')}
    FROM raised r WHERE ${COUNTED} + r.anonymous > 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (store_id, day, source) DO UPDATE SET ${totals.map((name) => `${name} = d.${name} + EXCLUDED.${name}`).join(', ')}
  ), remembered AS (
    INSERT INTO visit_event (store_id, event_id, visitor_id, event, at)
    SELECT r.store_id, r.event_id, r.visitor_id, r.event, r.at FROM raised r WHERE ${COUNTED} > 0 ORDER BY 1, 2 ON CONFLICT DO NOTHING
  )
  SELECT told.store_id FROM generate_series(1, jsonb_array_length($1::jsonb)) AS i (n) LEFT JOIN told ON told.n = i.n ORDER BY i.n`;

/**
 * Keeps events, or counts that there were some of people who did not agree; no two are of one visitor of a shop who agreed. Resolves to the
 * shop of each, undefined for one that there is not.
 */
export const recordAll = async (sql: Sql, all: readonly Told[]): Promise<(string | undefined)[]> => {
  const given = all.map(({ eventId: event_id, visitorId: visitor_id, ...told }) => ({
    ...{ event_id, visitor_id, ...told, step: 1 << events.indexOf(told.event) },
  }));
  const rows = await sql.prepared<{ store_id: string | null }>('visitor events', RECORD, [JSON.stringify(given)]);
  return rows.map(({ store_id }) => store_id ?? undefined);
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
