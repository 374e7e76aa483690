// Every statement names the device: it is the tenant. `$1` is always its instance id, unless a broadcast names it.

const PROGRESS = `broadcast_id AS "broadcastId", instance_id AS "instanceId", state, cause, start_at AS "startAt", total, sent, failed, skipped`;

/** Said by any name of theirs: the number may have written under its hidden identity, or what waits is for that, from before it was known whose that is. An array: joined with the names, all wishes of the device were read. */
const OPTED_OUT = (chat: string): string => `EXISTS (
  SELECT 1 FROM opt_out o WHERE o.instance_id = $1
    AND o.number = ANY (ARRAY(SELECT ${chat} UNION ALL SELECT h.lid FROM chat_identity h WHERE h.instance_id = $1 AND h.pn = ${chat}
      UNION ALL SELECT h.pn FROM chat_identity h WHERE h.instance_id = $1 AND h.lid = ${chat}))
)`;

/** What a lane has to respect before it looks for work; no row: the lane was never used. */
export const LANE = `
SELECT l.next_at AS "nextAt", l.last_at AS "lastAt", l.day, l.sent, l.batch, l.single AS "lastSingle", d.restricted_until AS "restrictedUntil",
  (SELECT min(start_at) FROM broadcast b WHERE b.instance_id = $1 AND b.state = 'running' AND b.start_at > $2) AS "startsAt"
FROM campaign_lane l JOIN device d USING (instance_id) WHERE l.instance_id = $1`;

/** Those of the devices `$1` whose lane was ever used. */
export const USED = 'SELECT instance_id AS id FROM campaign_lane WHERE instance_id = ANY ($1)';

/**
 * The next item of the lane at `$2`: single sends in the order of acceptance, broadcasts one after the other, both in turns
 * (`$4`: a single one was last). A broadcast whose daily limit the day's count `$3` has reached stands back. Who is addressed by a hidden id is
 * reached by that: their number is not asked about, and may be another one than when this was accepted.
 */
export const NEXT = `
SELECT c.*, ${OPTED_OUT('c.chat')} OR ${OPTED_OUT('c.hidden')} AS "optedOut", c.asks AND c.hidden IS NULL AS "checkNumber" FROM (
  (SELECT i.message_id AS id, i.chat, i.fields, NULL::text AS "broadcastId", i.pace, NULL::jsonb AS content, false AS echo, true AS asks,
     (SELECT m.payload->'options'->>'hidden' FROM message m WHERE m.instance_id = $1 AND m.id = i.message_id AND m.from_me) AS hidden
   FROM campaign_item i WHERE i.instance_id = $1 AND i.broadcast_id IS NULL AND i.state = 'waiting' ORDER BY i.seq LIMIT 1)
  UNION ALL
  (SELECT i.message_id, i.chat, i.fields, b.broadcast_id, b.pace, b.content, b.echo, b.check_number, NULL
   FROM broadcast b CROSS JOIN LATERAL (
     SELECT w.message_id, w.chat, w.fields FROM campaign_item w
     WHERE w.instance_id = $1 AND w.broadcast_id = b.broadcast_id AND w.state = 'waiting' ORDER BY w.seq LIMIT 1
   ) i
   WHERE b.instance_id = $1 AND b.state = 'running' AND b.start_at <= $2 AND (b.daily_limit IS NULL OR b.daily_limit > $3)
   ORDER BY b.start_at, b.seq LIMIT 1)
) c ORDER BY ("broadcastId" IS NULL) = $4 LIMIT 1`;

/**
 * Claims an item for good: it is sent or skipped, the lane's pause and count are booked and its broadcast is counted
 * together, or nothing happens, because somebody else was quicker or the broadcast was stopped. Whoever else has the lane
 * (`$12`: the pause that was seen) waits here and then finds itself late.
 */
export const CLAIM = `
WITH lane AS (
  SELECT 1 FROM campaign_lane WHERE instance_id = $1 AND next_at = $12 FOR UPDATE
), running AS (
  SELECT 1 FROM broadcast WHERE broadcast_id = $3 AND state = 'running' FOR UPDATE
), claimed AS (
  UPDATE campaign_item SET state = $4, cause = $5
  WHERE instance_id = $1 AND message_id = $2 AND state = 'waiting' AND EXISTS (SELECT 1 FROM lane)
    AND ($3::text IS NULL OR EXISTS (SELECT 1 FROM running))
  RETURNING 1
), booked AS (
  UPDATE campaign_lane SET next_at = $6, last_at = $7, day = $8, sent = $9, batch = $10, single = $3::text IS NULL
  WHERE instance_id = $1 AND EXISTS (SELECT 1 FROM claimed)
), counted AS (
  UPDATE broadcast SET sent = sent + ($4 = 'sent')::integer, skipped = skipped + ($4 = 'skipped')::integer,
    state = CASE WHEN sent + failed + skipped + 1 < total THEN state ELSE 'done' END,
    ended_at = CASE WHEN sent + failed + skipped + 1 < total THEN NULL ELSE $11::timestamptz END
  WHERE broadcast_id = $3 AND EXISTS (SELECT 1 FROM claimed)
  RETURNING ${PROGRESS}
)
SELECT c.* FROM claimed LEFT JOIN counted c ON true`;

/** The pause after a send that failed here and was stored as failed already. */
export const BOOK = `
UPDATE campaign_lane SET next_at = $2, last_at = $3, day = $4, sent = $5, batch = $6, single = true WHERE instance_id = $1`;

/** The lane's row, locked: whoever adds a single send waits here for the one before. */
export const LOCK_LANE = `
INSERT INTO campaign_lane AS l (instance_id) VALUES ($1) ON CONFLICT (instance_id) DO UPDATE SET instance_id = l.instance_id`;

/** Resolves to how many single sends wait, this one included. */
export const ADD_SINGLE = `
WITH added AS (
  INSERT INTO campaign_item (instance_id, message_id, chat, pace) VALUES ($1, $2, $3, $4) RETURNING 1
)
SELECT count(*)::integer + (SELECT count(*)::integer FROM added) AS waiting FROM campaign_item
WHERE instance_id = $1 AND broadcast_id IS NULL AND state = 'waiting'`;

/** Whether a number may be written to, and how many single sends wait. */
export const ADMISSION = `
SELECT ${OPTED_OUT('$2::text')} AS "optedOut",
  (SELECT count(*)::integer FROM campaign_item WHERE instance_id = $1 AND broadcast_id IS NULL AND state = 'waiting') AS waiting`;

/** Everything that waits in the lane, in the order in which it leaves: single sends, then broadcasts. */
export const AHEAD = `
(SELECT NULL::text AS "broadcastId", count(*)::integer AS count, (array_agg(pace ORDER BY seq))[1] AS pace, NULL::timestamptz AS "startAt",
   NULL::integer AS "dailyLimit", 0::bigint AS seq
 FROM campaign_item WHERE instance_id = $1 AND broadcast_id IS NULL AND state = 'waiting' HAVING count(*) > 0)
UNION ALL
(SELECT broadcast_id, total - sent - failed - skipped, pace, start_at, daily_limit, seq FROM broadcast WHERE instance_id = $1 AND state = 'running')
ORDER BY "startAt" NULLS FIRST, seq`;

export const ADD_BROADCAST = `
INSERT INTO broadcast (broadcast_id, instance_id, content, pace, daily_limit, check_number, echo, start_at, total, skipped, answer, state, ended_at)
VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11,
  CASE WHEN $10::integer < $9::integer THEN 'running' ELSE 'done' END, CASE WHEN $10::integer < $9::integer THEN NULL ELSE $8::timestamptz END)
ON CONFLICT DO NOTHING RETURNING 1`;

export const ADD_RECIPIENTS = `
INSERT INTO campaign_item (instance_id, broadcast_id, message_id, chat, fields)
SELECT $1, $2, r.id, r.chat, r.fields FROM unnest($3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY AS r (id, chat, fields, n) ORDER BY r.n`;

export const FIND = `SELECT ${PROGRESS}, answer FROM broadcast WHERE broadcast_id = $1`;

/** Pauses, resumes or cancels a broadcast; one that has ended stays as it is. */
export const ACT = {
  pause: `UPDATE broadcast SET state = 'paused', cause = NULL WHERE broadcast_id = $1 AND state = 'running' RETURNING ${PROGRESS}`,
  resume: `UPDATE broadcast SET state = 'running', cause = NULL WHERE broadcast_id = $1 AND state = 'paused' RETURNING ${PROGRESS}`,
  cancel: `UPDATE broadcast SET state = 'cancelled', cause = NULL, ended_at = now() WHERE broadcast_id = $1 AND state IN ('running', 'paused') RETURNING ${PROGRESS}`,
} as const;

/** Pauses all that the device sends by itself until somebody resumes it. */
export const HALT = `
UPDATE broadcast SET state = 'paused', cause = $2 WHERE instance_id = $1 AND state = 'running' RETURNING ${PROGRESS}`;
