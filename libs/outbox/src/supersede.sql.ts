/**
 * A step of the service's own migration, after `outboxMigration`: the SQL function `outbox_supersede(lane, dedupe_keys)`.
 *
 * Call it in the transaction that has just written a row to the lane and so holds its lock. While the lane waits after a
 * failure, or for its target, rows with these keys that were never tried end as done (`superseded`): the newer row contains
 * all that they do. A lane that is being served loses nothing, so without a backlog everything is sent. Returns their number.
 */
export const outboxSupersedeMigration = `
CREATE OR REPLACE FUNCTION outbox_supersede(p_lane text, p_dedupe_keys text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE v_count integer;
BEGIN
  UPDATE outbox_row r SET state = 'done', outcome = 'superseded', finished_at = now()
  WHERE r.dedupe_key = ANY (p_dedupe_keys) AND r.lane = p_lane AND r.state = 'queued' AND r.first_try_at IS NULL
    AND EXISTS (SELECT 1 FROM outbox_lane l WHERE l.lane = p_lane AND l.fence IS NULL
      AND (l.failures > 0 OR EXISTS (SELECT 1 FROM outbox_target t WHERE t.target = l.target AND t.held_until IS NOT NULL)));
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END $$;
`;
