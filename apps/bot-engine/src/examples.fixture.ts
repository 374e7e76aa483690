import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { internalCalls, question, type Bot } from './app.fixture';

/** What is another number at every run, or on another day. */
const MEASURED: Readonly<Record<string, number>> = {
  ...{ ms: 120, ms_p50: 120, ms_p95: 180, cost_micros: 240, tokens_in: 380, tokens_cached: 0, tokens_out: 20 },
};
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The same at every run. */
export const unmeasured = (value: unknown, name = ''): unknown => {
  if (typeof value === 'number') return MEASURED[name] ?? value;
  if (typeof value === 'string') return DAY.test(value) ? '2026-03-01' : value;
  if (Array.isArray(value)) return value.map((each) => unmeasured(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unmeasured(inner, key)]));
};

export interface ToldCall {
  readonly route: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

const first = (answer: ToldCall): string =>
  ((answer.response as { data: { id: string }[] }).data[0] as { id: string }).id;

/** A shop that makes an agent, tells it something, tries it, looks at what it did, and asks whether an edit is good. */
export const internalStory = async (bot: Bot): Promise<ToldCall[]> => {
  const ask = internalCalls(bot);
  const told: ToldCall[] = [];
  const call = async (route: string, id = '', request?: object, query = ''): Promise<ToldCall> => {
    const [method = '', path = ''] = route.split(' ');
    const { status, body } = await ask(method, path.replace('/internal', '').replace('{id}', id) + query, request);
    const answer = { route, ...(request ? { request } : {}), status, response: body };
    told.push(answer);
    return answer;
  };
  const agent = uuidv7();
  await call('POST /internal/agents', '', { id: agent, name: 'Nusa', prompt: 'Kamu Nusa, asisten Toko Nusa.' });
  await call('PUT /internal/agents/{id}', agent, { prompt: 'Kamu Nusa. Jawab singkat dan ramah.', version: 1 });
  const doc = { id: uuidv7(), agent_id: agent, kind: 'faq', title: 'Jam buka' };
  await call('POST /internal/knowledge', '', { ...doc, text: 'Kami buka setiap hari pukul 09.00 sampai 21.00.' });
  await until(
    () => ask('GET', `/knowledge/${doc.id}`),
    ({ body }) => JSON.stringify(body).includes('"ready"'),
  );
  await call('GET /internal/agents', '', undefined, '?enabled=true&per_page=1');
  await call('GET /internal/agents/{id}', agent);
  await call('GET /internal/knowledge', '', undefined, `?agent_id=${agent}`);
  await call('GET /internal/knowledge/{id}', doc.id);
  await tryAgent(call, agent);
  await lookAtRuns(bot, call, agent);
  await evaluate(ask, call, agent);
  await call('DELETE /internal/knowledge/{id}', doc.id);
  await call('DELETE /internal/agents/{id}', agent);
  return told;
};

type Call = (route: string, id?: string, request?: object, query?: string) => Promise<ToldCall>;

const tryAgent = async (call: Call, agent: string): Promise<void> => {
  const session = { id: uuidv7(), agent_id: agent, prompt: 'Kamu Nusa.' };
  await call('POST /internal/test-sessions', '', { ...session, question: 'halo?', answer: 'Halo kak.' });
  await call('GET /internal/test-sessions', '', undefined, `?agent_id=${agent}`);
  await call('GET /internal/test-sessions/{id}', session.id);
};

const lookAtRuns = async (bot: Bot, call: Call, agent: string): Promise<void> => {
  await bot.post('/api/chatbot-api', question({ idAgent: agent, message: 'bisa retur kak?' }));
  const gaps = await until(
    () => internalCalls(bot)('GET', `/gaps?agent_id=${agent}`),
    ({ body }) => (body as { data: object[] }).data.length > 0,
  );
  await call('GET /internal/gaps', '', undefined, `?agent_id=${agent}`);
  const [gap] = (gaps.body as { data: { id: string }[] }).data;
  await call('PUT /internal/gaps/{id}', gap?.id, { status: 'dismissed' });
  const run = first(await call('GET /internal/runs', '', undefined, `?agent_id=${agent}`));
  await call('GET /internal/runs/{id}', run);
  await call('POST /internal/runs/{id}/replay', run, { prompt: 'Kamu Nusa. Tawarkan tim kami.' });
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10);
  await call('GET /internal/usage', '', undefined, `?from=${today}&to=${today}&agent_id=${agent}`);
};

const evaluate = async (ask: ReturnType<typeof internalCalls>, call: Call, agent: string): Promise<void> => {
  const one = { id: uuidv7(), agent_id: agent, name: 'Menyapa', lines: ['halo'] };
  await call('POST /internal/evals', '', { ...one, expect: { must: ['halo'], handover: false } });
  await call('GET /internal/evals', '', undefined, `?agent_id=${agent}`);
  await call('GET /internal/evals/{id}', one.id);
  const started = await call('POST /internal/evals/run', '', { agent_id: agent, prompt: 'Kamu Nusa.', repeat: 2 });
  const { id } = (started.response as { data: { id: string } }).data;
  await until(
    () => ask('GET', `/evals/runs/${id}`),
    ({ body }) => JSON.stringify(body).includes('"status":"done"'),
  );
  await call('GET /internal/evals/runs/{id}', id);
  await call('DELETE /internal/evals/{id}', one.id);
};
