/** The source of whoever came by themselves. */
export const DIRECT = 'direct';
/** What a buyer did longer ago has not led to their order. */
export const WINDOW_DAYS = 7;
const WITHIN = `interval '${WINDOW_DAYS} days'`;
/** Sources are keys of counters, and anybody can write one. */
export const SOURCE_LENGTH = 64;

/** SQL: a source as reports name it, of the text of a `utm_source`; null for none. */
export const sourceOf = (text: string): string => `nullif(lower(btrim(left(${text}, ${SOURCE_LENGTH}))), '')`;

/**
 * SQL: what a row `o` that is to become an order is attributed to, null where nothing is known. Of its own column `attribution` it takes what
 * the cart said: `{utm, visitor_id, at}`. Candidates are the cart's own address, the last visit of its visitor that did not come by itself, and
 * the last message of the buyer that a short link began; the latest within the week counts.
 */
export const attributionOf = (o: string): string => `(
  WITH said AS (SELECT ${o}.attribution -> 'utm' AS utm, ${o}.attribution ->> 'visitor_id' AS visitor_id, (${o}.attribution ->> 'at')::timestamptz AS at),
  touch AS (
    SELECT utm, at, NULL::uuid AS tracker_id FROM said WHERE ${sourceOf(`utm ->> 'source'`)} IS NOT NULL OR utm ->> 'id' IS NOT NULL
    UNION ALL SELECT v.touch, v.touched_at, NULL FROM said JOIN visit v ON v.store_id = ${o}.store_id AND v.visitor_id = said.visitor_id
    UNION ALL (SELECT c.utm, c.at, c.tracker_id FROM tracker_chat c
      WHERE c.store_id = ${o}.store_id AND c.phone = ${o}.buyer ->> 'phone' AND c.at > ${o}.placed_at - ${WITHIN} ORDER BY c.at DESC LIMIT 1)
  ), last AS (
    SELECT * FROM touch WHERE utm IS NOT NULL AND at > ${o}.placed_at - ${WITHIN} ORDER BY at DESC LIMIT 1
  ), known AS (
    SELECT EXISTS (SELECT FROM said JOIN visit v ON v.store_id = ${o}.store_id AND v.visitor_id = said.visitor_id
      AND v.last_at > ${o}.placed_at - ${WITHIN}) AS visited
  )
  SELECT jsonb_build_object('source', coalesce(${sourceOf(`last.utm ->> 'source'`)}, t.code, '${DIRECT}'),
    'medium', last.utm ->> 'medium', 'campaign', last.utm ->> 'campaign', 'content', last.utm ->> 'content', 'term', last.utm ->> 'term',
    'tracker_id', coalesce(last.tracker_id, t.id), 'visited', known.visited,
    'at', to_char(last.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM known LEFT JOIN last ON true LEFT JOIN tracker_link t ON t.store_id = ${o}.store_id AND t.code = lower(last.utm ->> 'id')
  WHERE known.visited OR last.at IS NOT NULL)`;

/** What says of a contact less than a short link does: how they were met, not from where they came. */
const VAGUE = `('chat', 'order')`;
/** SQL condition: the source `column` of a contact is none. */
export const isVague = (column: string): string => `(${column} IS NULL OR ${column} IN ${VAGUE})`;

/** SQL: the source of a new contact: of the short link that made this number write, unless somebody has said more. */
export const sourceOfNew = (storeId: string, phone: string, given: string): string => `
  CASE WHEN ${isVague(given)} THEN coalesce((SELECT c.utm ->> 'source' FROM tracker_chat c
    WHERE c.store_id = ${storeId} AND c.phone = ${phone} ORDER BY c.at DESC LIMIT 1), ${given}) ELSE ${given} END`;
