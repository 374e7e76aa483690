// Every statement names the device: it is the tenant. `$1` is always its instance id.

/** Callback rows, written only when `from` has a row; lanes are locked in one order by everybody. */
const ENQUEUE = (from: string, lanes: string): string => `
SELECT outbox_enqueue(r.lane, d.webhook_url, r.kind, r.dedupe_key, r.payload, NULL, r.waits) AS row
FROM ${from}, device d, (SELECT * FROM unnest(${lanes}) AS u (lane, kind, dedupe_key, payload, waits) ORDER BY lane COLLATE "C") r
WHERE d.instance_id = $1`;

/** One statement: the message and its callbacks, or neither. Nothing is answered when the pesan_id or the id is taken. */
export const ACCEPT = `
WITH accepted AS (
  INSERT INTO message (instance_id, chat, id, from_me, direction, type, pesan_id, role, payload, send_state, body_hash, at)
  VALUES ($1, $2, $3, true, 'out', $14, $4, $5, $6, 'queued', $7, $8)
  ON CONFLICT DO NOTHING RETURNING id
), reported AS (${ENQUEUE('accepted', '$9::text[], $10::text[], $11::text[], $12::jsonb[], $13::boolean[]')})
SELECT id, (SELECT count(row) FROM reported) FROM accepted`;

/** One statement: the message and its callback, or, for a message that is known, nothing. */
export const STORE_INBOUND = `
WITH stored AS (
  INSERT INTO message (instance_id, chat, participant, from_me, id, direction, type, payload, at)
  VALUES ($1, $2, $3, $4, $5, 'in', $6, $7, to_timestamp($8))
  ON CONFLICT DO NOTHING RETURNING id
), reported AS (${ENQUEUE('stored', '$9::text[], $10::text[], $11::text[], $12::jsonb[], $13::boolean[]')})
SELECT id, (SELECT max(row) FROM reported) AS "rowId" FROM stored`;

export const ACQUAINTANCE = `
SELECT EXISTS (SELECT 1 FROM message WHERE instance_id = $1 AND chat = $2) AS seen,
  EXISTS (SELECT 1 FROM message WHERE instance_id = $1 AND chat = $2 AND NOT from_me AND at > now() - interval '24 hours') AS "isReply"`;

export const UNSENT = `
SELECT m.id, m.chat, EXISTS (
  SELECT 1 FROM message i WHERE i.instance_id = m.instance_id AND i.chat = m.chat AND NOT i.from_me AND i.at > now() - interval '24 hours'
) AS "isReply"
FROM message m WHERE m.instance_id = $1 AND m.send_state IN ('queued', 'sending', 'sent_to_engine') ORDER BY m.seq`;

/** Accepted by a commit whose answer got lost: the caller saw an error, the queue in memory never heard of it. */
export const FORGOTTEN = `
SELECT id, chat, false AS "isReply" FROM message
WHERE instance_id = $1 AND send_state = 'queued' AND created_at < now() - interval '10 seconds' ORDER BY seq`;

export const MARK_SENDING = `
UPDATE message SET send_state = 'sending'
WHERE instance_id = $1 AND id = $2 AND send_state IN ('queued', 'sending', 'sent_to_engine') RETURNING payload`;

/** An acknowledgement may have been quicker. */
export const MARK_HANDED_OVER = `
UPDATE message SET send_state = 'sent_to_engine', wa_id = $3 WHERE instance_id = $1 AND id = $2 AND send_state = 'sending'`;

/**
 * The monotonic maximum of design 3.4: answers the send only when the level is a new one. In a group the first participant
 * to reach a level counts (`first`).
 */
export const RAISE = `
WITH raised AS (
  INSERT INTO status AS s (instance_id, id, participant, level, at) VALUES ($1, $2, $3, $4, to_timestamp($5))
  ON CONFLICT (instance_id, id, participant) DO UPDATE SET level = excluded.level, at = excluded.at WHERE s.level < excluded.level
  RETURNING 1
), acked AS (
  UPDATE message SET send_state = 'acked'
  WHERE instance_id = $1 AND id = $2 AND send_state IN ('queued', 'sending', 'sent_to_engine') AND EXISTS (SELECT 1 FROM raised)
)
SELECT m.chat, m.id, m.pesan_id AS "pesanId", d.webhook_url AS "webhookUrl",
  NOT EXISTS (SELECT 1 FROM status o WHERE o.instance_id = $1 AND o.id = $2 AND o.participant <> $3 AND o.level >= $4) AS first
FROM raised, message m JOIN device d USING (instance_id) WHERE m.instance_id = $1 AND m.id = $2 AND m.from_me`;

/** Answers the sends that failed by this; one that has arrived cannot fail any more. `$2` null: every waiting send. */
export const FAIL = `
WITH failed AS (
  UPDATE message SET send_state = 'failed', error_code = $3
  WHERE instance_id = $1 AND ($2::text IS NULL OR id = $2) AND send_state IN ('queued', 'sending', 'sent_to_engine')
  RETURNING instance_id, chat, id, pesan_id
)
SELECT f.chat, f.id, f.pesan_id AS "pesanId", d.webhook_url AS "webhookUrl" FROM failed f JOIN device d USING (instance_id)`;
