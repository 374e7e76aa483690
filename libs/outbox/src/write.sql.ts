/** Functions for writers. Each locks the lane first, so within a lane ids are assigned and committed in the same order. */
export const writeFunctions = `
-- UUID version 7 (RFC 9562 section 5.7) for rows whose writer gives none; PostgreSQL has uuidv7() only from 18 on.
CREATE FUNCTION outbox_event_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;

CREATE FUNCTION outbox_notify() RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT pg_notify('outbox_' || current_schema(), '')
$$;

-- Locks the lane until the end of the transaction, creates it when missing and makes it due when it was idle.
-- A conflicting row is locked even when the WHERE leaves it as it is; then no new version of it is written.
CREATE FUNCTION outbox_arm(p_lane text, p_target text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox_lane AS l (lane, target, next_at) VALUES (p_lane, p_target, now())
  ON CONFLICT (lane) DO UPDATE SET
    target = excluded.target, used_at = now(), held = false,
    next_at = CASE WHEN l.fence IS NULL THEN now() ELSE l.next_at END
  WHERE l.next_at = 'infinity' OR l.target <> excluded.target;
  -- A due lane is announced again: whoever was woken by its first row may just have passed over it because of this lock.
  -- The holder of a leased lane finds the row by itself; a lane that waits for a moment is found by the sweep.
  IF FOUND OR EXISTS (SELECT 1 FROM outbox_lane WHERE lane = p_lane AND fence IS NULL AND next_at <= clock_timestamp()) THEN
    PERFORM outbox_notify();
  END IF;
END $$;

-- Returns the id of the new row, or null when its dedupe key is taken.
CREATE FUNCTION outbox_enqueue(
  p_lane text, p_target text, p_kind text, p_dedupe_key text, p_payload jsonb, p_event_id uuid DEFAULT NULL, p_blocked boolean DEFAULT false
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_id bigint;
BEGIN
  PERFORM outbox_arm(p_lane, p_target);
  INSERT INTO outbox_row (event_id, lane, target, kind, dedupe_key, payload, state)
  VALUES (coalesce(p_event_id, outbox_event_id()), p_lane, p_target, p_kind, p_dedupe_key, p_payload, CASE WHEN p_blocked THEN 'blocked' ELSE 'queued' END)
  ON CONFLICT (dedupe_key) DO NOTHING
  RETURNING id INTO v_id;
  RETURN v_id;
END $$;

-- The lane of an existing row, locked and armed. The lane's own target is the newer one; it is gone when the lane was idle for long.
CREATE FUNCTION outbox_arm_lane_of(p_id bigint, p_state text) RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT outbox_arm(r.lane, coalesce(l.target, r.target))
  FROM outbox_row r LEFT JOIN outbox_lane l ON l.lane = r.lane
  WHERE r.id = p_id AND r.state = p_state
$$;

CREATE FUNCTION outbox_unblock(p_id bigint, p_payload jsonb DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM outbox_arm_lane_of(p_id, 'blocked');
  UPDATE outbox_row SET state = 'queued', payload = coalesce(p_payload, payload) WHERE id = p_id AND state = 'blocked';
  RETURN FOUND;
END $$;

-- A new id puts the row at the end of its lane; what the receiver knows it by, the event id, stays.
CREATE FUNCTION outbox_replay(p_id bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_id bigint;
BEGIN
  PERFORM outbox_arm_lane_of(p_id, 'dead');
  UPDATE outbox_row SET id = DEFAULT, state = 'queued', attempts = 0, first_try_at = NULL, finished_at = NULL
  WHERE id = p_id AND state = 'dead'
  RETURNING id INTO v_id;
  RETURN v_id;
END $$;
`;
