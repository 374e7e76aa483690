import {
  ModelError,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ModelName,
} from './chat.model';
import { modelAttempts, type Question } from './model.attempts';

const REPLY: ChatReply = { text: 'baik', toolCalls: [], finish: 'stop', usage: { in: 1, cached: 0, out: 1 } };
const line = (role: 'system' | 'user' | 'assistant', content: string) => ({ role, content });
const MESSAGES = [
  line('system', 's'),
  line('user', '1'),
  line('assistant', '2'),
  line('user', '3'),
  line('assistant', '4'),
  line('user', 'q'),
];

/** Gives the listed outcomes in order; records what it was asked and the pauses. */
const play = async (
  script: (ModelError | ChatReply)[],
  fallback?: string | ModelName,
  more: Partial<Question> = {},
) => {
  const asked: ChatRequest[] = [];
  const pauses: number[] = [];
  const provider = (name: string): ChatModel => ({
    complete: (request) => {
      asked.push(request);
      const next = script.shift() ?? { ...REPLY, text: name };
      return next instanceof ModelError ? Promise.reject(next) : Promise.resolve(next);
    },
  });
  const models = { openai: provider('openai'), anthropic: provider('anthropic') };
  const ask = modelAttempts({ models, stepTimeoutMs: 1000, pause: async (milliseconds) => pauses.push(milliseconds) });
  const attempts = await ask({
    models: [openai('main'), typeof fallback === 'string' ? openai(fallback) : fallback],
    temperature: 0.3,
    maxTokens: 600,
    messages: MESSAGES,
    signal: new AbortController().signal,
    deadline: Date.now() + 45_000,
    ...more,
  });
  return { outcome: attempts.map(({ model: name, status }) => `${name} ${status}`), attempts, asked, pauses };
};
const openai = (model: string): ModelName => ({ provider: 'openai', model });
const failed = (kind: ModelError['kind'], retryAfterMs?: number) => new ModelError(kind, { retryAfterMs });

it.each(['rate', 'server', 'network', 'shape', 'timeout'] as const)(
  'after %s the model is asked once more',
  async (kind) => {
    expect((await play([failed(kind)])).outcome).toEqual([`main ${kind}`, 'main ok']);
    expect((await play([failed(kind), failed(kind), REPLY])).outcome).toEqual([`main ${kind}`, `main ${kind}`]);
  },
);

it('the fallback model is asked at once after a time-out, after other errors when the second try failed too', async () => {
  expect((await play([failed('timeout')], 'small')).outcome).toEqual(['main timeout', 'small ok']);
  expect((await play([failed('rate'), failed('server')], 'small')).outcome).toEqual([
    'main rate',
    'main server',
    'small ok',
  ]);
  expect((await play([failed('bad_request'), failed('rate')], 'small')).outcome).toEqual([
    'main bad_request',
    'small rate',
  ]);
});

it.each(['auth', 'bad_request'] as const)('after %s no further call is made', async (kind) =>
  expect((await play([failed(kind)])).outcome).toEqual([`main ${kind}`]),
);

it('refused credentials are not tried with the fallback model either', async () =>
  expect((await play([failed('auth')], 'small')).outcome).toEqual(['main auth']));

it('a context that is too long is halved once, keeping instructions and question', async () => {
  const { outcome, asked } = await play([failed('context')]);
  expect(outcome).toEqual(['main context', 'main ok']);
  expect(asked[1]?.messages.map(({ content }) => content)).toEqual(['s', '3', '4', 'q']);
});

it('the second try waits as long as the provider says, at most 3 s, and about half a second otherwise', async () => {
  expect((await play([failed('rate', 1000)])).pauses).toEqual([1000]);
  expect((await play([failed('rate', 60_000)])).pauses).toEqual([3000]);
  const [pause = 0] = (await play([failed('server')])).pauses;
  expect(pause).toBeGreaterThanOrEqual(200);
  expect(pause).toBeLessThanOrEqual(800);
});

it("no second try begins after the turn's deadline", async () =>
  expect((await play([failed('rate')], 'small', { deadline: Date.now() + 1_500 })).outcome).toEqual(['main rate']));

describe('a model of another provider', () => {
  const claude: ModelName = { provider: 'anthropic', model: 'claude' };

  it('stands in, and is also asked when the credentials of the first were refused', async () => {
    const { outcome, attempts } = await play([failed('auth')], claude);
    expect(outcome).toEqual(['main auth', 'claude ok']);
    expect(attempts.map(({ provider, reply }) => [provider, reply?.text])).toEqual([
      ['openai', undefined],
      ['anthropic', 'anthropic'],
    ]);
  });

  it('is asked first when the agent says so', async () =>
    expect((await play([], undefined, { models: [claude] })).attempts[0]).toMatchObject({
      provider: 'anthropic',
      model: 'claude',
    }));
});

describe('a turn with tools', () => {
  const call = { id: 'c1', name: 'check_stock', argsJson: '{}' };
  const turn: ChatMessage[] = [
    ...MESSAGES,
    { role: 'assistant', content: null, toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: '{"data":[]}' },
    line('user', 'and another'),
  ];

  it('sends the tools with every attempt', async () => {
    const tools = [{ name: 'check_stock', description: 'stock', parameters: { type: 'object' } }];
    const { asked } = await play([failed('rate')], undefined, { tools, toolChoice: 'none' });
    expect(asked.map((request) => [request.tools, request.toolChoice])).toEqual([
      [tools, 'none'],
      [tools, 'none'],
    ]);
  });

  it('keeps its calls and results when the history is halved', async () => {
    const { asked } = await play([failed('context')], undefined, { messages: turn });
    expect(asked[1]?.messages).toEqual([...turn.slice(0, 1), ...turn.slice(3)]);
  });
});

it('a reply without usage counts with an estimate, four bytes a token', async () => {
  const [attempt] = (await play([{ ...REPLY, usage: null, text: 'x'.repeat(400) }])).attempts;
  expect(attempt?.reply?.usage).toEqual({ in: 50, cached: 0, out: 102 });
});
