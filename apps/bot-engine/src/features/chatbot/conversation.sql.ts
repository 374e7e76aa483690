/**
 * Everything a turn starts from, in one statement: the conversation, the run that already answered this message, and the
 * last 20 lines - those up to that run's answer if there is one, so that a repeat reads like the first time.
 */
export const OPEN = `
  SELECT run.id AS run_id, run.status, run.reply, run.cost_micros, lines.list AS lines
  FROM bot_conversations c
  LEFT JOIN bot_messages asked ON asked.store_id = c.store_id AND asked.conv_id = c.id AND asked.id_message = $3
  LEFT JOIN bot_runs run ON run.store_id = c.store_id AND run.id = asked.run_id
  LEFT JOIN LATERAL (
    SELECT m.id FROM bot_messages m
    WHERE m.store_id = c.store_id AND m.conv_id = c.id AND m.id > asked.id AND m.run_id = asked.run_id
    ORDER BY m.id LIMIT 1) answered ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('role', l.role, 'content', l.content) ORDER BY l.id), '[]') AS list
    FROM (SELECT m.id, m.role, m.content FROM bot_messages m
          WHERE m.store_id = c.store_id AND m.conv_id = c.id AND m.id <= coalesce(answered.id, 9223372036854775807)
          ORDER BY m.id DESC LIMIT 20) l) lines
  WHERE c.store_id = $1 AND c.conv_key = $2`;

/**
 * A whole turn in one statement: all of it is stored, or nothing. The unique index on (conversation, id_message) lets one
 * of several runs for the same message through. $9: lines in order; those marked \`seed\` count in a new conversation only.
 * $10: the run. $11: model calls.
 */
export const COMMIT = `
  WITH conversation AS (
    INSERT INTO bot_conversations AS c (store_id, id, agent_id, id_user, conv_key, instance_id, chat_id, team)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (store_id, agent_id, id_user) DO UPDATE SET
      instance_id = coalesce(EXCLUDED.instance_id, c.instance_id),
      chat_id = coalesce(EXCLUDED.chat_id, c.chat_id),
      team = coalesce(EXCLUDED.team, c.team),
      updated_at = now()
    RETURNING c.id, c.xmax = 0 AS created
  ), run AS (
    INSERT INTO bot_runs (store_id, id, conv_id, status, reply, tokens_in, tokens_out, cost_micros,
                          ms_queue, ms_model, ms_total, agent_version)
    SELECT $1, r.id, conversation.id, r.status, r.reply, r.tokens_in, r.tokens_out, r.cost_micros,
           r.ms_queue, r.ms_model, r.ms_total, r.agent_version
    FROM conversation, jsonb_to_record($10::jsonb) AS r (id uuid, status text, reply jsonb, tokens_in integer,
      tokens_out integer, cost_micros bigint, ms_queue integer, ms_model integer, ms_total integer, agent_version integer)
    RETURNING id
  ), lines AS (
    INSERT INTO bot_messages (store_id, conv_id, role, content, images, id_message, run_id)
    SELECT $1, conversation.id, l.role, l.content, coalesce(l.images, '{}'), l.id_message,
           CASE WHEN l.seed THEN NULL ELSE run.id END
    FROM conversation, run,
         ROWS FROM (jsonb_to_recordset($9::jsonb) AS (role text, content text, images text[], id_message text, seed boolean))
         WITH ORDINALITY AS l (role, content, images, id_message, seed, n)
    WHERE conversation.created OR NOT l.seed
    ORDER BY l.n
  )
  INSERT INTO llm_requests (store_id, id, agent_id, run_id, purpose, provider, model, status, tokens_in, tokens_cached, tokens_out,
                            cost_micros, ms, http_status, request_id)
  SELECT $1, q.id, $3, run.id, 'chat', q.provider, q.model, q.status, q.tokens_in, q.tokens_cached, q.tokens_out,
         q.cost_micros, q.ms, q.http_status, q.request_id
  FROM run, jsonb_to_recordset($11::jsonb) AS q (id uuid, provider text, model text, status text, tokens_in integer, tokens_cached integer,
    tokens_out integer, cost_micros bigint, ms integer, http_status integer, request_id text)`;
