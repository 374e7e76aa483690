import { uuidv7 } from '@platform/runtime';
import type { TestDatabase } from '@platform/testing';

export interface SeededRun {
  readonly store?: string;
  readonly agent?: string;
  readonly status?: string;
  readonly answer?: readonly string[];
  readonly chat?: string;
  readonly at?: string;
  readonly ms?: number;
  readonly input?: object | null;
  /** Of one call of a model each. */
  readonly costs?: readonly (number | null)[];
}

const CONVERSATION = `
  INSERT INTO bot_conversations (store_id, id, agent_id, id_user, conv_key, chat_id) VALUES ($1, $2, $3, $4, $5, $6)`;
const RUN = `
  INSERT INTO bot_runs (store_id, id, conv_id, status, reply, input, tokens_in, tokens_out, cost_micros, ms_queue, ms_model,
                        ms_total, agent_version, created_at, sources)
  VALUES ($1, $2, $3, $4, $5, $6, 10, 5, $7, 1, 2, $8, 3, $9, '["doc-1#2"]')`;
const STEP = `
  INSERT INTO bot_run_steps (store_id, run_id, n, assistant, results, created_at) VALUES ($1, $2, 0, $3, $4, $5)`;
const REQUEST = `
  INSERT INTO llm_requests (store_id, id, agent_id, run_id, purpose, model, status, tokens_in, tokens_cached, tokens_out,
                            cost_micros, ms, http_status, created_at)
  VALUES ($1, $2, $3, $4, 'chat', 'm', 'ok', 10, 0, 5, $5, 7, 200, $6)`;
const MESSAGE = `
  INSERT INTO bot_messages (store_id, conv_id, role, content, run_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)`;

export const STEP_CALL = { id: 'c1', tool: 'check_stock', args: '{"items":[{"sku":"A"}]}' };
export const STEP_RESULT = { id: 'c1', result: '{"data":[{"sku":"A","stock":7}]}', ms: 12, failed: false };
export const INPUT = {
  history: [],
  burst: ['stok A ada?'],
  absorbed: [],
  facts: { products: [], orders: [], amounts: [], urls: [] },
};

/** Rows as a committed turn leaves them; its id. */
export const seedRun = async (database: TestDatabase, run: SeededRun = {}): Promise<string> => {
  const { store = 'S1', agent = 'A1', status = 'done', answer = ['Ada kak.'], chat = null, ms = 100 } = run;
  const { at = new Date().toISOString(), input = INPUT, costs = [100] } = run;
  const [id, conversation] = [uuidv7(), uuidv7()];
  const reply = JSON.stringify({ answer, images: [], messageIds: answer.map((_, n) => `bot-${id}-${n}`) });
  const cost = costs.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  await database.query(CONVERSATION, [store, conversation, agent, uuidv7(), uuidv7(), chat]);
  await database.query(RUN, [store, id, conversation, status, reply, input && JSON.stringify(input), cost, ms, at]);
  const step = { text: null, calls: [STEP_CALL] };
  await database.query(STEP, [store, id, JSON.stringify(step), JSON.stringify([STEP_RESULT]), at]);
  for (const each of costs) await database.query(REQUEST, [store, uuidv7(), agent, id, each, at]);
  await database.query(MESSAGE, [store, conversation, 'user', 'stok A ada?', id, at]);
  await database.query(MESSAGE, [store, conversation, 'assistant', answer.join('\n\n'), id, at]);
  return id;
};
