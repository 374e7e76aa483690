/** The first unsent row of a lane: served by the index outbox_row_head. */
export const headOf = (lane: string): string =>
  `SELECT r.* FROM outbox_row r WHERE r.lane = ${lane} AND r.state IN ('queued', 'blocked') ORDER BY r.id LIMIT 1`;

/** Lanes of one target that may be sent, the longest waiting first: served by the index outbox_lane_due. */
export const dueLanes = (target: string): string =>
  `SELECT l.lane, l.next_at FROM outbox_lane l
   WHERE l.target = ${target} AND l.next_at <= now() AND l.next_at < 'infinity' ORDER BY l.next_at`;

/**
 * Every target with lanes that are due or will be, each found by one probe of the index outbox_lane_due ("loose index
 * scan", https://wiki.postgresql.org/wiki/Loose_indexscan): a hundred thousand lanes behind one target cost one step.
 */
export const busyTargets = `
  (SELECT target FROM outbox_lane WHERE next_at < 'infinity' ORDER BY target LIMIT 1)
  UNION ALL
  SELECT (SELECT l.target FROM outbox_lane l WHERE l.next_at < 'infinity' AND l.target > b.target ORDER BY l.target LIMIT 1)
  FROM busy b WHERE b.target IS NOT NULL`;

/** Most targets that one process serves concurrently, however many lanes there are to share. */
export const MOST_TARGETS = 1_000;

/** A separate text because it is also a migration of services that had an earlier one. */
export const claimFunction = `
-- Leases due lanes and returns every lane it looked at; those without an id have nothing to send now.
-- Every target has one place of its own, up to ${MOST_TARGETS} targets: of more the longest waiting come first. The p_free places that all share are dealt out one by one, to the targets with the
-- fewest lanes in flight first, and nobody has more than p_share. p_targets and p_flying: lanes in flight at the caller.
-- The lanes of a held target are not looked at. The locks come first, in a statement of their own: a row committed
-- meanwhile is seen by the next one.
CREATE OR REPLACE FUNCTION outbox_claim(
  p_holder text, p_lease double precision, p_free integer, p_share integer, p_targets text[], p_flying integer[]
) RETURNS SETOF outbox_head LANGUAGE plpgsql AS $$
DECLARE v_lanes text[]; v_probes text[];
BEGIN
  -- A hold that has ended lets one lane probe; it goes on, for the others, until the probe has its answer
  v_probes := ARRAY(SELECT target FROM outbox_target WHERE held_until <= now() FOR UPDATE SKIP LOCKED);
  v_lanes := ARRAY(
    WITH RECURSIVE busy AS (${busyTargets}
    ), waiting AS (
      SELECT b.target, coalesce(f.flying, 0) AS flying, t.held_until IS NOT NULL AS probing, due.next_at
      FROM busy b
      CROSS JOIN LATERAL (${dueLanes('b.target')} LIMIT 1) due
      LEFT JOIN outbox_target t ON t.target = b.target
      LEFT JOIN unnest(p_targets, p_flying) AS f (target, flying) ON f.target = b.target
      WHERE (t.held_until IS NULL OR t.target = ANY (v_probes)) AND coalesce(f.flying, 0) < p_share
    ), served AS (
      SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY flying = 0 ORDER BY next_at) AS turn FROM waiting) w
      WHERE flying > 0 OR turn <= ${MOST_TARGETS} - coalesce(cardinality(p_targets), 0)
    ), dealt AS (
      SELECT target, CASE WHEN probing THEN 1 ELSE least(p_share - flying, (flying = 0)::integer + p_free / count(*) OVER ()
        + (row_number() OVER (ORDER BY flying, next_at) <= p_free % count(*) OVER ())::integer) END AS places
      FROM served
    )
    SELECT due.lane FROM dealt CROSS JOIN LATERAL (${dueLanes('dealt.target')} LIMIT dealt.places FOR UPDATE SKIP LOCKED) due);
  IF v_lanes = '{}' THEN RETURN; END IF;
  RETURN QUERY
  WITH looked AS (
    SELECT l.lane, h.id, h.event_id, h.kind, h.payload, h.attempts, h.first_try_at, h.created_at,
      h.id IS NOT NULL AND h.state = 'queued' AS sendable
    FROM outbox_lane l LEFT JOIN LATERAL (${headOf('l.lane')}) h ON true
    WHERE l.lane = ANY (v_lanes)
  ), moved AS (
    UPDATE outbox_lane l SET
      fence = CASE WHEN s.sendable THEN nextval('outbox_fence') END,
      leased_by = CASE WHEN s.sendable THEN p_holder END,
      held = false, used_at = now(),
      next_at = CASE WHEN s.sendable THEN now() + p_lease * interval '1 second' ELSE 'infinity' END
    FROM looked s WHERE s.lane = l.lane AND l.lane = ANY (v_lanes)
    RETURNING l.lane, l.target, l.fence, l.failures
  ), probed AS (
    UPDATE outbox_target t SET held_until = now() + p_lease * interval '1 second'
    FROM moved m WHERE t.target = m.target AND t.target = ANY (v_probes) AND m.fence IS NOT NULL
  )
  SELECT m.lane::text, m.target, m.fence, m.failures,
    CASE WHEN m.fence IS NOT NULL THEN s.id END, s.event_id, s.kind, s.payload, s.attempts, s.first_try_at, s.created_at
  FROM moved m JOIN looked s ON s.lane = m.lane;
END $$;
`;

/** The target is healthy: its breaker closes, its hold ends. */
export const releaseFunction = `
-- Lanes that failed with their target are due at once. Those that somebody has locked are left out (waiting for them could
-- deadlock); those and the ones beyond the limit are tried when their pause is over.
CREATE OR REPLACE FUNCTION outbox_release(p_target text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox_target WHERE target = p_target;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE outbox_lane SET next_at = now(), held = false
  WHERE lane = ANY (ARRAY(SELECT lane FROM outbox_lane WHERE target = p_target AND held LIMIT 1000 FOR UPDATE SKIP LOCKED));
  PERFORM outbox_notify();
END $$;
`;

/** Functions for senders. Each locks first and reads in a later statement, hence with a later snapshot. */
export const sendFunctions = `
${claimFunction}${releaseFunction}-- Ends the head and takes the next row of the lane. One row comes back, with a null id when the lane is not held any longer,
-- and none when the lease was lost: then nothing has been changed. Without p_lease the next row is left to whoever claims it.
CREATE FUNCTION outbox_finish(
  p_lane text, p_fence bigint, p_id bigint, p_state text, p_note text, p_alive boolean, p_lease double precision
) RETURNS SETOF outbox_head LANGUAGE plpgsql AS $$
DECLARE v_target text; v_next outbox_row; v_take boolean;
BEGIN
  SELECT target INTO v_target FROM outbox_lane WHERE lane = p_lane AND fence = p_fence FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE outbox_row SET state = p_state, finished_at = now(), attempts = attempts + 1, first_try_at = coalesce(first_try_at, now()),
    outcome = CASE WHEN p_state = 'done' THEN p_note END, last_error = CASE WHEN p_state = 'dead' THEN p_note ELSE last_error END
  WHERE id = p_id;
  IF p_alive THEN
    PERFORM outbox_release(v_target);
  END IF;
  SELECT * INTO v_next FROM (${headOf('p_lane')}) h;
  v_take := coalesce(v_next.state = 'queued', false) AND p_lease IS NOT NULL
    AND (p_alive OR NOT EXISTS (SELECT 1 FROM outbox_target WHERE target = v_target AND held_until IS NOT NULL));
  UPDATE outbox_lane SET failures = 0, held = false, used_at = now(),
    fence = CASE WHEN v_take THEN p_fence END,
    leased_by = CASE WHEN v_take THEN leased_by END,
    next_at = CASE WHEN v_take THEN now() + p_lease * interval '1 second' WHEN v_next.state = 'queued' THEN now() ELSE 'infinity' END
  WHERE lane = p_lane;
  IF v_next.state = 'queued' AND NOT v_take THEN
    PERFORM outbox_notify();
  END IF;
  RETURN NEXT (p_lane, v_target, p_fence, 0, CASE WHEN v_take THEN v_next.id END, v_next.event_id, v_next.kind, v_next.payload,
    v_next.attempts, v_next.first_try_at, v_next.created_at)::outbox_head;
END $$;

-- The head stays and is sent again after p_delay, or when its target is tried again. False when the lease was lost.
CREATE FUNCTION outbox_postpone(
  p_lane text, p_fence bigint, p_id bigint, p_error text, p_spend boolean, p_delay double precision,
  p_hold double precision, p_transport boolean, p_breaker integer, p_probe double precision
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_target text; v_held timestamptz;
BEGIN
  SELECT target INTO v_target FROM outbox_lane WHERE lane = p_lane AND fence = p_fence FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE outbox_row SET attempts = attempts + p_spend::integer, first_try_at = coalesce(first_try_at, now()), last_error = p_error WHERE id = p_id;
  IF p_hold IS NOT NULL THEN
    v_held := outbox_hold(v_target, p_hold);
  ELSIF p_transport THEN
    INSERT INTO outbox_target AS t (target, failures, held_until)
    VALUES (v_target, 1, CASE WHEN p_breaker <= 1 THEN now() + p_probe * interval '1 second' END)
    ON CONFLICT (target) DO UPDATE SET failures = t.failures + 1,
      held_until = CASE WHEN t.held_until IS NOT NULL OR t.failures + 1 >= p_breaker THEN now() + p_probe * interval '1 second' END
    RETURNING held_until INTO v_held;
  ELSE
    PERFORM outbox_release(v_target);
  END IF;
  UPDATE outbox_lane SET failures = failures + 1, fence = NULL, leased_by = NULL, used_at = now(),
    held = p_transport OR v_held IS NOT NULL, next_at = coalesce(v_held, now() + p_delay * interval '1 second')
  WHERE lane = p_lane;
  RETURN true;
END $$;

-- Nothing is sent to the target before the hold ends; then one lane probes.
CREATE FUNCTION outbox_hold(p_target text, p_seconds double precision) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  INSERT INTO outbox_target (target, held_until) VALUES (p_target, now() + p_seconds * interval '1 second')
  ON CONFLICT (target) DO UPDATE SET held_until = excluded.held_until
  RETURNING held_until
$$;

-- Gives a leased lane back as it was taken.
CREATE FUNCTION outbox_hand_back(p_lane text, p_fence bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE outbox_lane SET next_at = now(), fence = NULL, leased_by = NULL WHERE lane = p_lane AND fence = p_fence;
  IF FOUND THEN
    PERFORM outbox_notify();
  END IF;
END $$;
`;
