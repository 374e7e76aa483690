import { deliveryStatuses } from '@platform/contracts';
import { CALLBACK } from '../callbacks/public';

const NAMES = deliveryStatuses.map((status) => `'${status}'`).join(', ');

/** See `statusFunctions`. */
export const statusRaise = `
-- Nothing comes back for a level that is not above the known one, or whose message is not there yet: that level waits here.
-- In a group the first person to reach a level counts for the callback.
CREATE OR REPLACE FUNCTION status_raise(p_instance text, p_id text, p_participant text, p_level smallint, p_at bigint)
RETURNS TABLE (chat text, pesan_id text) LANGUAGE plpgsql AS $$
DECLARE v_message record;
BEGIN
  PERFORM status_lock(p_instance, p_id);
  INSERT INTO status AS s (instance_id, id, participant, level, at) VALUES (p_instance, p_id, p_participant, p_level, to_timestamp(p_at))
  ON CONFLICT ON CONSTRAINT status_pkey DO UPDATE SET level = excluded.level, at = excluded.at WHERE s.level < excluded.level;
  IF NOT FOUND THEN RETURN; END IF;
  -- Before the message is looked at: whoever writes down at this moment that it was handed over has done so afterwards
  UPDATE message m SET send_state = 'acked'
  WHERE m.instance_id = p_instance AND m.id = p_id AND m.from_me AND m.send_state IN ('queued', 'sending', 'sent_to_engine');
  SELECT m.chat, m.pesan_id, m.send_state, m.error_code INTO v_message FROM message m
  WHERE m.instance_id = p_instance AND m.id = p_id AND m.from_me;
  IF NOT FOUND THEN RETURN; END IF;
  -- WhatsApp took it before it refused it, and tells of that afterwards: the refusal is the later word
  IF p_level <= 1 AND v_message.send_state = 'failed' AND v_message.error_code LIKE 'WA\\_%' THEN RETURN; END IF;
  IF NOT EXISTS (
    SELECT 1 FROM status o WHERE o.instance_id = p_instance AND o.id = p_id AND o.participant <> p_participant AND o.level >= p_level
  ) THEN
    PERFORM status_tell(p_instance, v_message.chat, p_id, v_message.pesan_id, p_level, p_at);
  END IF;
  RETURN QUERY SELECT v_message.chat, v_message.pesan_id;
END $$;
`;

/**
 * Functions of the monotonic maximum of design 3.4; steps of a migration. Whoever writes a status or a message of our own
 * locks the id first: without it a status and its row, or the receipts of two people in a group, could pass each other unseen.
 */
export const statusFunctions = `
CREATE FUNCTION status_lock(p_instance text, p_id text) RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(p_instance || '|' || p_id, 0))
$$;

-- The callback of one level, as callback.row.ts writes the one of pending. Lower levels that wait behind a failure go (design 3.5).
CREATE FUNCTION status_tell(p_instance text, p_chat text, p_id text, p_pesan text, p_level smallint, p_at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_names text[] := ARRAY[${NAMES}];
  v_lane text := p_instance || '|' || p_chat || '|s';
  v_key text := p_instance || '|' || p_chat || '||' || p_id || '|true|';
BEGIN
  PERFORM outbox_enqueue(v_lane, d.webhook_url, '${CALLBACK.name}', v_key || v_names[p_level + 1],
    jsonb_build_object('callback', jsonb_strip_nulls(jsonb_build_object(
      'instanceID', p_instance, 'result', true, 'report', true, 'number', p_chat, 'id', p_id, 'timestamp', p_at,
      'rawMessage', '{"pesan_id":' || to_json(p_pesan) || '}', 'status', v_names[p_level + 1]))))
  FROM device d WHERE d.instance_id = p_instance;
  PERFORM outbox_supersede(v_lane, ARRAY(SELECT v_key || name FROM unnest(v_names[:p_level]) AS name));
END $$;

${statusRaise}
-- For a message that was just stored, with its id locked: what was reported of it before. The highest level is told.
CREATE FUNCTION status_catch_up(p_instance text, p_id text)
RETURNS TABLE (chat text, pesan_id text, participant text, level smallint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM status_tell(p_instance, m.chat, p_id, m.pesan_id, s.level, extract(epoch FROM s.at)::bigint)
  FROM message m, (SELECT o.level, o.at FROM status o WHERE o.instance_id = p_instance AND o.id = p_id ORDER BY o.level DESC, o.at LIMIT 1) s
  WHERE m.instance_id = p_instance AND m.id = p_id AND m.from_me;
  RETURN QUERY
  SELECT m.chat, m.pesan_id, s.participant, s.level FROM message m JOIN status s USING (instance_id, id)
  WHERE m.instance_id = p_instance AND m.id = p_id AND m.from_me ORDER BY s.at, s.participant;
END $$;
`;
