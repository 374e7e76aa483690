const CONVERSATION = `
    INSERT INTO bot_conversations AS c (store_id, id, agent_id, id_user, conv_key, instance_id, chat_id, team, facts, since_seq,
                                        handover_at, handover_reason, handover_run_id, handover_episode, resume_at, context_from)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, s.facts, s.since_seq,
           CASE WHEN s.handed_over THEN now() END, s.reason, CASE WHEN s.handed_over THEN s.run_id END, s.episode, s.resume_at, NULL
    FROM jsonb_to_record($12::jsonb) AS s (facts jsonb, since_seq bigint, resumed boolean, handed_over boolean, run_id uuid,
                                          reason text, episode integer, resume_at timestamptz)
    ON CONFLICT (store_id, agent_id, id_user) DO UPDATE SET
      instance_id = coalesce(EXCLUDED.instance_id, c.instance_id),
      chat_id = coalesce(EXCLUDED.chat_id, c.chat_id),
      team = coalesce(EXCLUDED.team, c.team),
      facts = c.facts || EXCLUDED.facts,
      since_seq = greatest(c.since_seq, EXCLUDED.since_seq),
      handover_at = CASE WHEN EXCLUDED.handover_at IS NOT NULL OR $14 THEN EXCLUDED.handover_at ELSE c.handover_at END,
      handover_reason = CASE WHEN EXCLUDED.handover_at IS NOT NULL OR $14 THEN EXCLUDED.handover_reason ELSE c.handover_reason END,
      handover_run_id = CASE WHEN EXCLUDED.handover_at IS NOT NULL OR $14 THEN EXCLUDED.handover_run_id ELSE c.handover_run_id END,
      handover_episode = CASE WHEN EXCLUDED.handover_at IS NOT NULL OR $14 THEN EXCLUDED.handover_episode ELSE c.handover_episode END,
      resume_at = CASE WHEN EXCLUDED.handover_at IS NOT NULL OR $14 THEN EXCLUDED.resume_at ELSE c.resume_at END,
      context_from = CASE WHEN $14 THEN now() ELSE c.context_from END,
      updated_at = now()
    RETURNING c.id`;

/**
 * The same of one chat, beside that of the conversation, which is of callers who name none; builds before read and write no other.
 * $16: the chat.
 */
const CHAT = `
    INSERT INTO bot_chats AS b (store_id, conv_id, chat, since_seq, handover_at, handover_reason, handover_run_id, handover_episode, resume_at)
    SELECT $1, conversation.id, $16::text, s.since_seq, CASE WHEN s.handed_over THEN now() END, s.reason, CASE WHEN s.handed_over THEN s.run_id END,
           s.episode, s.resume_at
    FROM conversation, jsonb_to_record($12::jsonb) AS s (since_seq bigint, handed_over boolean, run_id uuid, reason text, episode integer,
      resume_at timestamptz)
    WHERE $16::text IS NOT NULL
    ON CONFLICT (store_id, conv_id, chat) DO UPDATE SET
      since_seq = greatest(b.since_seq, EXCLUDED.since_seq),
      (handover_at, handover_reason, handover_run_id, handover_episode, resume_at) = (
        SELECT EXCLUDED.handover_at, EXCLUDED.handover_reason, EXCLUDED.handover_run_id, EXCLUDED.handover_episode, EXCLUDED.resume_at
        WHERE EXCLUDED.handover_at IS NOT NULL OR $14
        UNION ALL SELECT b.handover_at, b.handover_reason, b.handover_run_id, b.handover_episode, b.resume_at
        WHERE EXCLUDED.handover_at IS NULL AND NOT $14),
      updated_at = now()`;

/**
 * A chat whose state was the conversation's, being the last one that a build before has spoken in, keeps it when another becomes the last:
 * from then on nobody could tell whose it is. The conversation as it was before this statement.
 */
const LEFT = `
    INSERT INTO bot_chats (store_id, conv_id, chat, since_seq, handover_at, handover_reason, handover_run_id, handover_episode, resume_at)
    SELECT c.store_id, c.id, coalesce(c.chat_id, c.instance_id), c.since_seq, c.handover_at, c.handover_reason, c.handover_run_id, c.handover_episode, c.resume_at
    FROM conversation JOIN bot_conversations c ON c.store_id = $1 AND c.id = conversation.id WHERE coalesce(c.chat_id, c.instance_id) <> $16::text
    ON CONFLICT DO NOTHING`;

const RUN = `
    INSERT INTO bot_runs (store_id, id, conv_id, lead_token, status, merged_ids, input, reply, sources, steps, tokens_in, tokens_out,
                          cost_micros, ms_queue, ms_model, ms_total, agent_version)
    SELECT $1, r.id, conversation.id, r.lead_token, r.status, r.merged_ids, r.input, r.reply, r.sources, r.steps, r.tokens_in,
           r.tokens_out, r.cost_micros, r.ms_queue, r.ms_model, r.ms_total, r.agent_version
    FROM conversation, jsonb_to_record($10::jsonb) AS r (id uuid, lead_token uuid, status text, merged_ids text[], input jsonb,
      reply jsonb, sources jsonb, steps integer, tokens_in integer, tokens_out integer, cost_micros bigint, ms_queue integer,
      ms_model integer, ms_total integer, agent_version integer)
    ON CONFLICT (store_id, id) DO UPDATE SET
      status = EXCLUDED.status, merged_ids = EXCLUDED.merged_ids, input = EXCLUDED.input, reply = EXCLUDED.reply,
      sources = EXCLUDED.sources, steps = EXCLUDED.steps, tokens_in = EXCLUDED.tokens_in, tokens_out = EXCLUDED.tokens_out,
      cost_micros = EXCLUDED.cost_micros, ms_queue = EXCLUDED.ms_queue, ms_model = EXCLUDED.ms_model,
      ms_total = EXCLUDED.ms_total, agent_version = EXCLUDED.agent_version
    RETURNING id`;

/**
 * A whole turn in one statement: all of it is stored, or nothing. The unique index on (conversation, id_message) lets one of
 * several runs for the same message through. $9: lines in order; those marked \`seed\` count where nothing was said before.
 * $10: the run. $11: model calls. $12: the conversation's state, of its facts those that the turn has changed. $13: rows of the
 * outbox, for $15. $14: the bot was given its part back. $16: the chat.
 */
export const COMMIT = `
  WITH conversation AS (${CONVERSATION}
  ), chat AS (${CHAT}
  ), left_behind AS (${LEFT}
  ), run AS (${RUN}
  ), abandoned AS (
    UPDATE bot_runs r SET status = 'abandoned' FROM conversation, run
    WHERE r.store_id = $1 AND r.conv_id = conversation.id AND r.status = 'running' AND r.id <> run.id
  ), lines AS (
    INSERT INTO bot_messages (store_id, conv_id, role, content, images, id_message, run_id)
    SELECT $1, conversation.id, l.role, l.content, coalesce(l.images, '{}'), l.id_message, CASE WHEN l.own THEN run.id END
    FROM conversation, run,
         ROWS FROM (jsonb_to_recordset($9::jsonb) AS (role text, content text, images text[], id_message text, seed boolean, own boolean))
         WITH ORDINALITY AS l (role, content, images, id_message, seed, own, n)
    WHERE NOT l.seed OR NOT EXISTS (SELECT 1 FROM bot_messages m WHERE m.store_id = $1 AND m.conv_id = conversation.id)
    ORDER BY l.n
  ), requests AS (
    INSERT INTO llm_requests (store_id, id, agent_id, run_id, purpose, provider, model, status, tokens_in, tokens_cached,
                              tokens_out, cost_micros, ms, http_status, request_id)
    SELECT $1, q.id, $3, run.id, q.purpose, q.provider, q.model, q.status, q.tokens_in, q.tokens_cached, q.tokens_out,
           q.cost_micros, q.ms, q.http_status, q.request_id
    FROM run, jsonb_to_recordset($11::jsonb) AS q (id uuid, purpose text, provider text, model text, status text,
      tokens_in integer, tokens_cached integer, tokens_out integer, cost_micros bigint, ms integer, http_status integer, request_id text)
  ), pushed AS (
    SELECT outbox_enqueue(conversation.id || o.lane_end, $15, o.kind, o.dedupe_key, o.payload) AS id
    FROM conversation, ROWS FROM (jsonb_to_recordset($13::jsonb) AS (kind text, dedupe_key text, payload jsonb, lane_end text))
         WITH ORDINALITY AS o (kind, dedupe_key, payload, lane_end, n)
    ORDER BY o.n
  )
  SELECT count(*) AS pushed FROM pushed`;

/** One step of a run, which stands as running until it is committed. $6 to $8: address; $9 to $11: the run; $12 to $14: the step. */
export const STEP = `
  WITH conversation AS (
    INSERT INTO bot_conversations AS c (store_id, id, agent_id, id_user, conv_key, instance_id, chat_id, team)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (store_id, agent_id, id_user) DO UPDATE SET updated_at = now()
    RETURNING c.id
  ), run AS (
    INSERT INTO bot_runs AS r (store_id, id, conv_id, lead_token, status, reply, tokens_in, tokens_out, cost_micros,
                               ms_queue, ms_model, ms_total, agent_version)
    SELECT $1, $9, conversation.id, $10, 'running', '{"answer":[],"images":[],"messageIds":[]}', 0, 0, 0, 0, 0, 0, $11
    FROM conversation
    ON CONFLICT (store_id, id) DO NOTHING
  )
  INSERT INTO bot_run_steps (store_id, run_id, n, assistant, results) SELECT $1, $9, $12, $13, $14 FROM conversation
  ON CONFLICT DO NOTHING`;
