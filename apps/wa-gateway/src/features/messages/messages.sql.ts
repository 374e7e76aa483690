import { deliveryStatusCode } from '@platform/contracts';

// Every statement names the device: it is the tenant. `$1` is always its instance id.

/** Callback rows, written only when `from` has a row; lanes are locked in one order by everybody. */
const ENQUEUE = (from: string, lanes: string, lane = 'r.lane'): string => `
SELECT outbox_enqueue(${lane}, d.webhook_url, r.kind, r.dedupe_key, r.payload, NULL, r.waits) AS row
FROM ${from}, device d, (SELECT * FROM unnest(${lanes}) AS u (lane, kind, dedupe_key, payload, waits) ORDER BY lane COLLATE "C") r
WHERE d.instance_id = $1`;

/** A campaign's single send that waits in its lane is the lane's. */
const IS_IN_LANE = `EXISTS (
  SELECT 1 FROM campaign_item c WHERE c.instance_id = m.instance_id AND c.message_id = m.id AND c.state = 'waiting'
)`;

/**
 * The chat in which a send to chat $2 leaves: that of its hidden identity as long as sends wait there which were accepted before it was known whose
 * that is. They go first. It goes to its own address from there.
 */
const QUEUE_OF_CHAT = `coalesce((
  SELECT m.chat FROM chat_identity h
    JOIN message m ON m.instance_id = h.instance_id AND m.chat = h.lid AND m.participant = '' AND m.from_me AND m.send_state IN ('queued', 'sending')
  WHERE h.instance_id = $1 AND h.pn = $2 AND NOT ${IS_IN_LANE} AND NOT EXISTS (
    SELECT 1 FROM message m WHERE m.instance_id = $1 AND m.chat = $2 AND m.send_state = 'queued' AND NOT ${IS_IN_LANE}) LIMIT 1), $2)`;

/** `OFFSET 0`: it is looked for once, not wherever the chat is named. */
const accepting = (chat: string): string => `
WITH accepted AS (
  INSERT INTO message (instance_id, chat, id, from_me, direction, type, pesan_id, role, payload, send_state, body_hash, at)
  SELECT $1, q.chat, $3, true, 'out', $14, $4, $5, CASE WHEN q.chat = $2 THEN $6::jsonb ELSE $6::jsonb || jsonb_build_object('to', $2::text) END, 'queued', $7, $8
  FROM (SELECT ${chat} AS chat OFFSET 0) q
  ON CONFLICT DO NOTHING RETURNING id, chat
), reported AS (${ENQUEUE('accepted', '$9::text[], $10::text[], $11::text[], $12::jsonb[], $13::boolean[]')})
SELECT id, chat, (SELECT count(row) FROM reported), EXISTS (SELECT 1 FROM status WHERE instance_id = $1 AND id = $3) AS early,
  EXISTS (SELECT 1 FROM message WHERE instance_id = $1 AND chat = $2 AND NOT from_me AND at > now() - interval '24 hours') AS "isReply"
FROM accepted`;

/**
 * One statement: the message and its callbacks, or neither. Nothing is answered when the pesan_id or the id is taken. What goes through the
 * campaign lane keeps the order of that.
 */
export const ACCEPTING = {
  single: ['message_accept', accepting(QUEUE_OF_CHAT)],
  bulk: ['message_accept_bulk', accepting('$2::text')],
} as const;

export interface Acceptance {
  /** The one in which it leaves. */
  readonly chat: string;
  /** A status of this id came before it. */
  readonly early: boolean;
  /** The chat's person wrote within a day. */
  readonly isReply: boolean;
}

/** What was said under the hidden identity of chat $2, before it was known whose that is, and still waits goes first: its lane is used up. */
const LANE_OF_CHAT = `coalesce((
  SELECT o.lane FROM chat_identity h CROSS JOIN LATERAL (
    SELECT o.lane FROM outbox_row o WHERE o.lane = replace(r.lane, $2, h.lid) AND o.state IN ('queued', 'blocked') LIMIT 1) o
  WHERE h.instance_id = $1 AND h.pn = $2 LIMIT 1), r.lane)`;

const storing = (also: string): string => `
WITH stored AS (
  INSERT INTO message (instance_id, chat, participant, from_me, id, direction, type, payload, at)
  VALUES ($1, $2, $3, $4, $5, 'in', $6, $7, to_timestamp($8))
  ON CONFLICT DO NOTHING RETURNING id
), reported AS (${ENQUEUE('stored', '$9::text[], $10::text[], $11::text[], $12::jsonb[], $13::boolean[]', LANE_OF_CHAT)})${also}
SELECT id, (SELECT max(row) FROM reported) AS "rowId" FROM stored`;

/**
 * One statement: the message and its callback, or, for a message that is known, nothing. With it the writer's wish to hear
 * of campaigns no more, or again (design 3.6).
 */
/** By what the message wishes of campaigns. */
export const STORING = {
  none: ['message_inbound', storing('')],
  out: [
    'message_opt_out',
    storing(', wished AS (INSERT INTO opt_out (instance_id, number) SELECT $1, $2 FROM stored ON CONFLICT DO NOTHING)'),
  ],
  in: [
    'message_opt_in',
    storing(
      `, wished AS (
  DELETE FROM opt_out WHERE instance_id = $1 AND EXISTS (SELECT 1 FROM stored)
    AND number IN (SELECT $2 UNION ALL SELECT lid FROM chat_identity WHERE instance_id = $1 AND pn = $2)
)`,
    ),
  ],
} as const;

export const IS_SEEN = `SELECT EXISTS (SELECT 1 FROM message WHERE instance_id = $1 AND chat = $2) AS seen`;

/** A send that was accepted under this pesan_id. */
export const ACCEPTED = `
SELECT m.id, m.chat, m.role, m.payload, m.body_hash AS hash, m.at,
  m.send_state = 'queued' AND m.created_at < now() - interval '500 milliseconds' AND NOT ${IS_IN_LANE} AS "isOverdue"
FROM message m WHERE m.instance_id = $1 AND m.pesan_id = $2`;

/** `$2`: whether what may have left already goes out again, once (design 3.3); `chase` settles what did before. */
export const UNSENT = `
SELECT m.id, m.chat, EXISTS (
  SELECT 1 FROM message i WHERE i.instance_id = m.instance_id AND i.chat = m.chat AND NOT i.from_me AND i.at > now() - interval '24 hours'
) AS "isReply", m.send_state <> 'queued' AS "mayHaveLeft"
FROM message m
WHERE m.instance_id = $1 AND m.send_state IN ('queued', 'sending', 'sent_to_engine')
  AND (m.send_state = 'queued' OR $2 AND m.repeats = 0)
  AND NOT ${IS_IN_LANE} ORDER BY m.seq`;

/** Those of the devices `$1` that may have any such send. */
export const WITH_UNSENT = `
SELECT device AS id FROM unnest($1::text[]) AS device WHERE EXISTS (
  SELECT 1 FROM message m WHERE m.instance_id = device AND m.send_state IN ('queued', 'sending', 'sent_to_engine')
)`;

/** Accepted by another process, which called these ids. */
export const CALLED = `
SELECT m.id, m.chat, EXISTS (
  SELECT 1 FROM message i WHERE i.instance_id = m.instance_id AND i.chat = m.chat AND NOT i.from_me AND i.at > now() - interval '24 hours'
) AS "isReply"
FROM message m WHERE m.instance_id = $1 AND m.id = ANY ($2) AND m.send_state = 'queued' AND m.from_me AND NOT ${IS_IN_LANE} ORDER BY m.seq`;

/** Whether `$2` sends wait; reads no more of them than that. */
export const IS_CROWDED = `
SELECT count(*) >= $2 AS crowded FROM (
  SELECT 1 FROM message WHERE instance_id = $1 AND send_state IN ('queued', 'sending', 'sent_to_engine') LIMIT $2
) waiting`;

export const WAITING = `
SELECT instance_id AS id, count(*) FROM message WHERE instance_id = ANY ($1) AND send_state IN ('queued', 'sending') GROUP BY 1`;

/** Of every device: what a release would send. */
export const KEPT_BACK = `
SELECT count(*) FROM message WHERE send_state IN ('queued', 'sending')`;

/** Accepted by a commit whose answer got lost: the caller saw an error, and the queue in memory missed it. */
export const FORGOTTEN = `
SELECT m.id, m.chat, false AS "isReply", d.status FROM message m JOIN device d USING (instance_id)
WHERE m.instance_id = $1 AND m.send_state = 'queued' AND m.created_at < now() - interval '10 seconds'
  AND NOT ${IS_IN_LANE} ORDER BY m.seq`;

/** Those of the devices `$1` that such a send waits on. */
export const WITH_FORGOTTEN = `
SELECT device AS id FROM unnest($1::text[]) AS device WHERE EXISTS (
  SELECT 1 FROM message m WHERE m.instance_id = device AND m.send_state = 'queued' AND m.created_at < now() - interval '10 seconds' AND NOT ${IS_IN_LANE}
)`;

/** Another process is called, which has the device. */
export const CALLS = 'wa_gateway_sends';
export const CALL = `SELECT pg_notify('${CALLS}', $1 || ' ' || $2)`;

/** `$3`: states of one that was taken to the line, or may have left already, and goes nevertheless. */
const MAY_LEAVE = `(m.send_state = 'queued' OR m.send_state = ANY ($3::text[]))`;

/**
 * Takes a send to the line, unless an earlier one of its chat waits: another process may have accepted it, and its call may be
 * late or lost. One that may have left already counts as a repetition, and lets nobody pass. `earlier`: what goes first.
 * `ours`: the device is still `$4`'s, who may have stood still for as long as its lease; otherwise nothing is taken.
 */
export const MARK_SENDING = `
WITH held AS (
  SELECT EXISTS (SELECT 1 FROM lease WHERE instance_id = $1 AND owner = $4 AND expires_at > now()) AS ours
), mine AS (
  SELECT chat, seq, send_state FROM message m, held WHERE ours AND instance_id = $1 AND id = $2 AND ${MAY_LEAVE}
), earlier AS (
  SELECT m.id, m.seq FROM mine, message m
  WHERE mine.send_state = 'queued' AND m.instance_id = $1 AND m.chat = mine.chat AND m.send_state = 'queued' AND m.seq < mine.seq AND NOT EXISTS (
    SELECT 1 FROM campaign_item c WHERE c.instance_id = m.instance_id AND c.message_id = m.id)
), marked AS (
  UPDATE message m SET send_state = 'sending', sent_at = now(), repeats = m.repeats + (m.send_state <> 'queued')::int FROM mine
  WHERE m.instance_id = $1 AND m.id = $2 AND m.chat = mine.chat AND ${MAY_LEAVE}
    AND NOT EXISTS (SELECT 1 FROM earlier)
  RETURNING m.payload
)
SELECT (SELECT ours FROM held) AS ours, (SELECT payload FROM marked) AS payload, ARRAY(SELECT id FROM earlier ORDER BY seq) AS earlier`;

/** It certainly did not leave. */
export const MARK_QUEUED = `
UPDATE message SET send_state = 'queued' WHERE instance_id = $1 AND id = $2 AND send_state = 'sending'`;

/** An acknowledgement may have come first. */
export const MARK_HANDED_OVER = `
UPDATE message SET send_state = 'sent_to_engine', sent_at = now(), wa_id = $3
WHERE instance_id = $1 AND id = $2 AND send_state = 'sending'`;

/** Left, or may have left, longer than `$2` seconds ago, and nobody acknowledged it. */
export const UNACKNOWLEDGED = `
SELECT id, chat, true AS "isReply", repeats FROM message
WHERE instance_id = $1 AND send_state IN ('sending', 'sent_to_engine') AND coalesce(sent_at, created_at) < now() - $2 * interval '1 second'
  AND ($3 OR wa_id IS NULL) ORDER BY seq LIMIT 1000`;

/** Those of the devices `$1` that have such a send. */
export const WITH_UNACKNOWLEDGED = `
SELECT device AS id FROM unnest($1::text[]) AS device WHERE EXISTS (
  SELECT 1 FROM message WHERE instance_id = device AND send_state IN ('sending', 'sent_to_engine')
    AND coalesce(sent_at, created_at) < now() - $2 * interval '1 second'
)`;

/** The send whose status has risen, with its callback written; see statuses.sql.ts. */
export const RAISE = `
SELECT chat, pesan_id AS "pesanId" FROM status_raise($1, $2, $3, $4::smallint, $5::bigint)`;

export const CATCH_UP = `
SELECT chat, pesan_id AS "pesanId", participant, level FROM status_catch_up($1, $2)`;

/** Sends that failed, with code $2, which their broadcasts count. */
const failing = (which: string): string => `
WITH failed AS (
  UPDATE message m SET send_state = 'failed', error_code = $2
  WHERE instance_id = $1 AND ${which}
  RETURNING instance_id, chat, id, pesan_id
), dropped AS (
  UPDATE campaign_item i SET state = 'failed', cause = $2 FROM failed f
  WHERE i.instance_id = $1 AND i.message_id = f.id AND i.state IN ('waiting', 'sent') RETURNING i.broadcast_id
), counted AS (
  UPDATE broadcast b SET sent = b.sent - d.failed, failed = b.failed + d.failed
  FROM (SELECT broadcast_id, count(*)::integer AS failed FROM dropped GROUP BY broadcast_id) d WHERE b.broadcast_id = d.broadcast_id
)
SELECT f.chat, f.id, f.pesan_id AS "pesanId", d.webhook_url AS "webhookUrl" FROM failed f JOIN device d USING (instance_id)`;

const NOT_ENDED = `send_state IN ('queued', 'sending', 'sent_to_engine')`;

/**
 * Answers the sends that failed by this: every one that waits, or the one of id $3; one that has arrived cannot fail any more. `$4`: also when
 * it was acknowledged and has not arrived, as WhatsApp may take a message and say afterwards that it cannot deliver it. Of a
 * repeated send one copy may be refused because the other was taken. One statement for both would read every message of the device.
 */
export const FAIL = {
  all: ['message_fail_all', failing(NOT_ENDED)],
  one: [
    'message_fail_one',
    failing(`id = $3 AND (${NOT_ENDED}
    OR $4 AND send_state = 'acked' AND repeats = 0 AND NOT EXISTS (
      SELECT 1 FROM status s WHERE s.instance_id = $1 AND s.id = m.id AND s.level >= ${deliveryStatusCode('delivered')}
    ))`),
  ],
} as const;
