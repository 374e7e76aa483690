/**
 * $1 store, $2 the first day, $3 the last one, $4 the store's time zone, $5 an agent or null. A day is the store's own: its turns and
 * calls are those between two midnights there.
 */
const SPAN = `>= ($2::date)::timestamp AT TIME ZONE $4`;
const UNTIL = `< ($3::date + 1)::timestamp AT TIME ZONE $4`;

/** A run has no agent of its own: its conversation has. */
const OF_AGENT = `($5::text IS NULL OR EXISTS (SELECT 1 FROM bot_conversations c
  WHERE c.store_id = r.store_id AND c.id = r.conv_id AND c.agent_id = $5))`;

const RUNS = `
  SELECT (r.created_at AT TIME ZONE $4)::date AS day,
    count(*) FILTER (WHERE r.status = 'done' AND jsonb_array_length(r.reply -> 'answer') > 0)::int AS replies,
    count(*) FILTER (WHERE r.status = 'handover')::int AS handovers,
    count(*) FILTER (WHERE r.status = 'fallback')::int AS fallbacks,
    round(percentile_cont(0.5) WITHIN GROUP (ORDER BY r.ms_total))::int AS ms_p50,
    round(percentile_cont(0.95) WITHIN GROUP (ORDER BY r.ms_total))::int AS ms_p95
  FROM bot_runs r
  WHERE r.store_id = $1 AND r.created_at ${SPAN} AND r.created_at ${UNTIL}
    AND r.status IN ('done', 'handover', 'fallback') AND r.purpose = 'chat' AND ${OF_AGENT}
  GROUP BY 1`;

const REQUESTS = `
  SELECT (q.created_at AT TIME ZONE $4)::date AS day,
    sum(q.tokens_in)::bigint AS tokens_in, sum(q.tokens_out)::bigint AS tokens_out,
    coalesce(sum(q.cost_micros), 0)::bigint AS cost_micros,
    count(*) FILTER (WHERE q.cost_micros IS NULL)::int AS unpriced
  FROM llm_requests q
  WHERE q.store_id = $1 AND q.created_at ${SPAN} AND q.created_at ${UNTIL} AND ($5::text IS NULL OR q.agent_id = $5)
  GROUP BY 1`;

/** One row for every day of the span. */
export const USAGE = `
  WITH runs AS (${RUNS}), requests AS (${REQUESTS})
  SELECT d.day::date::text AS date,
    coalesce(runs.replies, 0) AS replies, coalesce(runs.handovers, 0) AS handovers,
    coalesce(runs.fallbacks, 0) AS fallbacks, coalesce(requests.tokens_in, 0)::text AS tokens_in,
    coalesce(requests.tokens_out, 0)::text AS tokens_out, coalesce(requests.cost_micros, 0)::text AS cost_micros,
    coalesce(requests.unpriced, 0) AS unpriced, runs.ms_p50, runs.ms_p95
  FROM generate_series($2::date, $3::date, '1 day') AS d (day)
  LEFT JOIN runs ON runs.day = d.day::date
  LEFT JOIN requests ON requests.day = d.day::date
  ORDER BY d.day`;
