/** Whether the conversation was last spoken in this chat. $5, $6: its id, and its device, where they are known. */
const IS_LAST_CHAT = 'coalesce(c.chat_id = $5, c.instance_id = $6, true)';

/**
 * The newest lines, read in the order of their index. The number is hidden in a query because the planner takes a limit it does not know for a tenth of the
 * rows: where conversations have fewer lines on average, it read and sorted all of a long one.
 */
const NEWEST = 'ORDER BY m.id DESC LIMIT (SELECT 20)';

/** Lines of conversation `of` by the ids in $3: each is looked up (OFFSET keeps it from being joined), or all lines of a long conversation were read for them. */
const said = (of: string): string => `
    unnest($3::text[]) AS given (id_message) CROSS JOIN LATERAL (
      SELECT m.id_message, m.run_id FROM bot_messages m WHERE m.store_id = $1 AND m.conv_id = ${of}.id AND m.id_message = given.id_message OFFSET 0) m`;

/**
 * Everything a turn starts from, in one statement. $3: ids of the messages to answer. The newest 20 lines are taken first and
 * then those before the last hand-back left out, so that a long conversation is not read for a short context. A row of the
 * outbox that is gone was delivered long ago. $4: the chat, whose state is its own. Before it had one it is the conversation's, if that was
 * the chat; and again when a build that knows no chats has handed it over since.
 */
export const OPEN = `
  SELECT c.id, c.facts, c.updated_at < now() - interval '24 hours' AS is_old, state.since_seq, c.instance_id, c.chat_id, c.team, state.handover_at, state.handover_reason, state.handover_episode,
         state.resume_at, CASE WHEN told.state IS NULL THEN state.handover_at WHEN told.state = 'done' THEN told.finished_at END AS told_at,
         lines.list AS lines, lines.any AS any, known.ids AS answered
  FROM bot_conversations c
  LEFT JOIN LATERAL (
    SELECT 1 AS n, b.since_seq, b.handover_at, b.handover_reason, b.handover_run_id, b.handover_episode, b.resume_at
    FROM bot_chats b WHERE b.store_id = c.store_id AND b.conv_id = c.id AND b.chat = $4
      AND (${IS_LAST_CHAT} AND c.handover_at > b.updated_at) IS NOT TRUE
    UNION ALL
    SELECT 2, c.since_seq, c.handover_at, c.handover_reason, c.handover_run_id, c.handover_episode, c.resume_at
    WHERE ${IS_LAST_CHAT}
    ORDER BY n LIMIT 1) state ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('role', l.role, 'content', l.content) ORDER BY l.id)
                      FILTER (WHERE c.context_from IS NULL OR l.created_at >= c.context_from), '[]') AS list, count(*) > 0 AS any
    FROM (SELECT m.id, m.role, m.content, m.created_at FROM bot_messages m
          WHERE m.store_id = c.store_id AND m.conv_id = c.id ${NEWEST}) l) lines
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT m.id_message), '{}') AS ids FROM ${said('c')}) known
  LEFT JOIN LATERAL (
    SELECT o.state, o.finished_at FROM outbox_row o WHERE o.dedupe_key = 'escalate:' || state.handover_run_id) told ON true
  WHERE c.store_id = $1 AND c.conv_key = $2`;

/** The runs that answered one of the messages ($3), all runs of their leaders and of the leader $4, and the lines up to the last one. */
export const ANSWERED = `
  WITH conversation AS (
    SELECT c.id, c.context_from FROM bot_conversations c WHERE c.store_id = $1 AND c.conv_key = $2
  ), asked AS (
    SELECT DISTINCT r.id, r.lead_token FROM conversation c
    CROSS JOIN LATERAL (SELECT m.run_id FROM ${said('c')}) m
    JOIN bot_runs r ON r.store_id = $1 AND r.id = m.run_id
    UNION
    SELECT NULL, $4::uuid WHERE $4::uuid IS NOT NULL
  ), run AS (
    SELECT r.id, r.status, r.reply, r.cost_micros, r.created_at FROM conversation c
    JOIN asked a ON true
    CROSS JOIN LATERAL (SELECT * FROM bot_runs r WHERE r.store_id = $1 AND r.conv_id = c.id AND r.lead_token = a.lead_token OFFSET 0) r
    WHERE r.status IN ('done', 'fallback', 'handover')
    UNION
    SELECT r.id, r.status, r.reply, r.cost_micros, r.created_at FROM asked a JOIN bot_runs r ON r.store_id = $1 AND r.id = a.id
  ), last AS (
    SELECT max(m.id) AS id FROM conversation c
    JOIN bot_messages m ON m.store_id = $1 AND m.conv_id = c.id AND m.run_id = (SELECT max(run.id::text)::uuid FROM run)
  )
  SELECT coalesce((SELECT jsonb_agg(jsonb_build_object('id', run.id, 'status', run.status, 'reply', run.reply,
                                                       'costMicros', run.cost_micros) ORDER BY run.id) FROM run), '[]') AS runs,
         lines.list AS lines
  FROM conversation c, last, LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('role', l.role, 'content', l.content) ORDER BY l.id), '[]') AS list
    FROM (SELECT m.id, m.role, m.content FROM bot_messages m
          WHERE m.store_id = $1 AND m.conv_id = c.id AND m.id <= last.id
            AND (c.context_from IS NULL OR m.created_at >= c.context_from OR c.context_from > (SELECT max(created_at) FROM run))
          ${NEWEST}) l) lines`;
