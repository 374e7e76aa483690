/**
 * The one place that moves a recipient and counts it, for outcomes of bulk rows and for acknowledgements alike. A recipient
 * only goes forward (sent, delivered, viewed); it fails until it was delivered, and an acknowledgement after a failure proves
 * the failure wrong. Counters go by what really changed, so a repetition counts nothing (design 3.4: increments, never COUNT).
 */
const FORWARD = 'CASE WHEN x.status = 4 THEN r.status < 2 ELSE r.status = 4 OR r.status < x.status END';

/** The names `n.nohp` under which message `m` of chat `c` may have its recipient: a number that was learned since changes no report. */
export const RECIPIENT_NAMES = 'CROSS JOIN LATERAL (VALUES (c.nohp), (c.begun_as)) n (nohp)';

/** The CTEs `news` and `movements`; `source` yields store_id, broadcast_id, nohp, pesan_id, status, error. Materialised, so that recipients are found by their whole key. */
export const moved = (source: string): string => `
  news AS MATERIALIZED (${source}),
  movements AS (
  UPDATE broadcast_recipients r SET status = x.status, error = x.error, updated_at = now() FROM news x
  WHERE r.store_id = x.store_id AND r.broadcast_id = x.broadcast_id AND r.nohp = x.nohp AND r.pesan_id IS NOT DISTINCT FROM x.pesan_id AND ${FORWARD}
  RETURNING r.store_id, r.broadcast_id, old.status AS was, new.status AS now)`;

const counters = { terkirim: [1, 3], delivered: [2, 3], viewed: [3, 3], gagal: [4, 4] } as const;
const each = (text: (name: string, from: number, to: number) => string): string =>
  Object.entries(counters)
    .map(([name, [from, to]]) => text(name, from, to))
    .join(', ');

/** How far rows of `moved` change each counter. */
export const gains: string = each(
  (name, from, to) =>
    `coalesce(sum((now BETWEEN ${from} AND ${to})::int - (was BETWEEN ${from} AND ${to})::int), 0)::int AS ${name}`,
);

/** SET list for campaign `b` by the sums `d`. */
export const gained: string = each((name) => `${name} = b.${name} + d.${name}`);

/** The CTEs `news`, `movements` and `counted`, for a statement that learned something about messages of campaigns. */
export const movements = (source: string): string => `
  ${moved(source)},
  counted AS (
    UPDATE broadcasts b SET ${gained} FROM (SELECT store_id, broadcast_id, ${gains} FROM movements GROUP BY 1, 2) d
    WHERE b.store_id = d.store_id AND b.id = d.broadcast_id)`;
