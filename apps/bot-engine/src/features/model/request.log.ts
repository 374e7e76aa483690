import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { PricedAttempt } from './model.attempts';

export const purposes = ['chat', 'welcome', 'transcribe', 'embed', 'eval'] as const;
export type Purpose = (typeof purposes)[number];

/** Whose calls they are. */
export interface RequestOwner {
  readonly storeId: string;
  readonly agentId: string;
  readonly purpose: Purpose;
  readonly runId?: string;
}

/** One row of `llm_requests`, without its owner: numbers and names, no text. For statements that write a whole turn. */
export const requestRow = ({
  provider,
  model,
  status,
  reply,
  costMicros,
  ms,
  httpStatus,
  requestId,
}: PricedAttempt) => ({
  id: uuidv7(),
  provider,
  model,
  status,
  tokens_in: reply?.usage?.in ?? 0,
  tokens_cached: reply?.usage?.cached ?? 0,
  tokens_out: reply?.usage?.out ?? 0,
  cost_micros: costMicros,
  ms,
  http_status: httpStatus ?? null,
  request_id: requestId ?? null,
});

/** The columns of `requestRow`, for `jsonb_to_recordset`. */
export const REQUEST_COLUMNS =
  'id uuid, provider text, model text, status text, tokens_in integer, tokens_cached integer, tokens_out integer, cost_micros bigint, ms integer, http_status integer, request_id text';

const ADD = `
  INSERT INTO llm_requests (store_id, agent_id, run_id, purpose, id, provider, model, status, tokens_in, tokens_cached,
                            tokens_out, cost_micros, ms, http_status, request_id)
  SELECT $1, $2, $3, $4, q.id, q.provider, q.model, q.status, q.tokens_in, q.tokens_cached, q.tokens_out, q.cost_micros,
         q.ms, q.http_status, q.request_id
  FROM jsonb_to_recordset($5::jsonb) AS q (${REQUEST_COLUMNS})`;

/** Writes calls of models down that belong to no turn. */
export const addRequests = async (
  sql: Pick<Sql, 'query'>,
  { storeId, agentId, runId, purpose }: RequestOwner,
  attempts: readonly PricedAttempt[],
): Promise<void> => {
  if (attempts.length === 0) return;
  await sql.query(ADD, [storeId, agentId, runId ?? null, purpose, JSON.stringify(attempts.map(requestRow))]);
};
