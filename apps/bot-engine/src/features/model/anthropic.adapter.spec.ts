import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { startHttpServer, startLlmSandbox, useOpened, useRunning } from '@platform/testing';
import { anthropicChat, type AnthropicOptions } from './anthropic.adapter';
import { anthropicPackage } from './anthropic.package';
import type { ChatMessage, ChatRequest } from './chat.model';

const SEARCH = {
  name: 'search_products',
  description: 'Products of the store',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const REQUEST: ChatRequest = {
  model: 'sandbox-rules-main',
  messages: [
    { role: 'system', content: 'Jam buka: 09.00-21.00' },
    { role: 'user', content: 'jam buka?' },
  ],
  maxTokens: 600,
  temperature: 0.3,
};
const OPTIONS = { apiKey: 'key', sendTemperature: true, refuseSandbox: false } as const;

const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const ended = useOpened();

const ask = (more: Partial<ChatRequest> = {}, options: Partial<AnthropicOptions> = {}, timeoutMs = 5_000) =>
  anthropicChat({ ...OPTIONS, baseUrl: llm.url, ...options }).complete(
    { ...REQUEST, ...more },
    AbortSignal.timeout(timeoutMs),
  );

/** Bodies of the requests to `answering`. */
const received: unknown[] = [];
const provider = async (listener: RequestListener): Promise<string> => ended(await startHttpServer(listener)).url;
const answering = (body: string, status = 200, headers: Record<string, string> = {}) =>
  provider((request, response) => {
    void json(request).then((sent) => {
      received.push(sent);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
const ANSWER = JSON.stringify({ content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' });
const sentFor = async (messages: readonly ChatMessage[], more: Partial<ChatRequest> = {}) => {
  await ask({ messages, ...more }, { baseUrl: await answering(ANSWER) });
  return received.at(-1);
};

describe('a message of Anthropic', () => {
  it('is read with all its fields', async () =>
    expect(await ask()).toEqual({
      text: 'Jam buka: 09.00-21.00',
      toolCalls: [],
      finish: 'stop',
      usage: { in: expect.any(Number), cached: 0, out: expect.any(Number) },
      requestId: expect.stringMatching(/^req_sandbox_/),
    }));

  it('is requested with the system text apart and the most tokens it may have', async () => {
    await ask({ temperature: 0.7 });
    expect(llm.requests.at(-1)).toMatchObject({ path: '/v1/messages' });
    expect(llm.requests.at(-1)?.body).toEqual({
      model: 'sandbox-rules-main',
      max_tokens: 600,
      system: 'Jam buka: 09.00-21.00',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'jam buka?' }] }],
      temperature: 0.7,
      stream: false,
    });
    await ask({}, { sendTemperature: false });
    expect(Object.keys(llm.requests.at(-1)?.body ?? {})).not.toContain('temperature');
    await ask({ temperature: 0.1, temperatureRequired: true }, { sendTemperature: false });
    expect(llm.requests.at(-1)?.body).toMatchObject({ temperature: 0.1 });
  });

  it('with a tool call is read, and its result leads to a text', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'ada sepatu lari?' }];
    const called = await ask({ messages, tools: [SEARCH] });
    expect(called).toMatchObject({
      text: null,
      finish: 'tool_calls',
      toolCalls: [
        { id: expect.stringMatching(/^toolu_/), name: 'search_products', argsJson: '{"query":"sepatu lari"}' },
      ],
    });
    const rows = JSON.stringify({ data: [{ sku: 'S1', name: 'Sepatu Lari', price: 99000, stock: 0 }] });
    messages.push({ role: 'assistant', content: null, toolCalls: called.toolCalls });
    messages.push({ role: 'tool', toolCallId: called.toolCalls[0]?.id ?? '', content: rows });
    expect(await ask({ messages, tools: [SEARCH], toolChoice: 'none' })).toMatchObject({
      text: 'Ada kak, Sepatu Lari Rp99.000, habis.\n[[img:S1]]',
      toolCalls: [],
    });
    expect(llm.requests.at(-1)?.body).toMatchObject({
      tools: [{ name: 'search_products', description: 'Products of the store', input_schema: SEARCH.parameters }],
      tool_choice: { type: 'none' },
    });
  });

  it('folds the results of tools, and what was said meanwhile, into one message of the user', async () => {
    const call = (id: string, argsJson: string) => ({ id, name: 'search_products', argsJson });
    expect(
      await sentFor([
        { role: 'system', content: 'satu' },
        { role: 'system', content: 'dua\u0000' },
        { role: 'assistant', content: 'Pembayaran diterima' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'ini \ud83d' },
            { type: 'text', text: ' ' },
            { type: 'image', mediaType: 'image/webp', base64: 'AAAA' },
            { type: 'image', mediaType: 'image/heic', base64: 'AAAA' },
          ],
        },
        { role: 'assistant', content: '', toolCalls: [call('call/1', '{"query":"a"}'), call('call/2', '{"query')] },
        { role: 'tool', toolCallId: 'call/1', content: '{"data":[]}' },
        { role: 'tool', toolCallId: 'call/2', content: '' },
        { role: 'user', content: 'yang merah' },
      ]),
    ).toMatchObject({
      system: 'satu\n\ndua',
      messages: [
        { role: 'user', content: '...' },
        { role: 'assistant', content: [{ type: 'text', text: 'Pembayaran diterima' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'ini \ufffd' },
            { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_1', name: 'search_products', input: { query: 'a' } },
            { type: 'tool_use', id: 'call_2', name: 'search_products', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: '{"data":[]}' },
            { type: 'tool_result', tool_use_id: 'call_2', content: '...' },
            { type: 'text', text: 'yang merah' },
          ],
        },
      ],
    });
  });

  it('offers no tools when there are none', async () =>
    expect(Object.keys((await sentFor(REQUEST.messages, { tools: [] })) as object)).not.toEqual(
      expect.arrayContaining(['tools', 'tool_choice']),
    ));

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'filter'],
    ['stop_sequence', 'stop'],
  ])('that ends by %s has the end %s; tokens of the cache count among all', async (reason, finish) => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const usage = { input_tokens: 5, cache_creation_input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 };
    const baseUrl = await answering(JSON.stringify({ content, stop_reason: reason, usage }));
    expect(await ask({}, { baseUrl })).toMatchObject({ text: 'ab', finish, usage: { in: 10, cached: 3, out: 4 } });
  });
});

describe('a failure of Anthropic', () => {
  it.each([
    ['sandbox-429', 'rate', 429, 1000],
    ['sandbox-500', 'server', 500, undefined],
    ['sandbox-html', 'shape', 200, undefined],
    ['sandbox-empty', 'shape', 200, undefined],
    ['no-such-model', 'bad_request', 404, undefined],
  ])('of %s has the kind %s', async (model, kind, httpStatus, retryAfterMs) => {
    const requestId = expect.stringMatching(/^req_sandbox_/);
    await expect(ask({ model })).rejects.toMatchObject({
      kind,
      facts: { httpStatus, requestId, ...(retryAfterMs ? { retryAfterMs } : {}) },
    });
  });

  it.each(['sandbox-hang', 'sandbox-stall'])('of %s has the kind timeout when the signal ends it', async (model) =>
    expect(ask({ model }, {}, 150)).rejects.toMatchObject({ kind: 'timeout' }),
  );

  it('that is overload, a context that is too long, a refused key or no server has a kind of its own', async () => {
    const overloaded = await answering('{"type":"error","error":{"type":"overloaded_error","message":"x"}}', 529);
    await expect(ask({}, { baseUrl: overloaded })).rejects.toMatchObject({
      kind: 'server',
      facts: { httpStatus: 529 },
    });
    const long = { role: 'user' as const, content: 'kata '.repeat(40_000) };
    await expect(ask({ messages: [long] })).rejects.toMatchObject({ kind: 'context', facts: { httpStatus: 400 } });
    await expect(ask({}, { apiKey: 'invalid' })).rejects.toMatchObject({ kind: 'auth', facts: { httpStatus: 401 } });
    await expect(ask({}, { baseUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({ kind: 'network' });
  });

  it('by a tool call that is none of ours reaches the dispatcher, as broken arguments do', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'ada sepatu?' }];
    const calls = async (model: string) => (await ask({ model, messages, tools: [SEARCH] })).toolCalls;
    expect(await calls('sandbox-unknowntool')).toMatchObject([{ name: 'grant_discount', argsJson: '{"percent":100}' }]);
    expect(await calls('sandbox-badargs')).toMatchObject([
      { name: 'search_products', argsJson: '{"unexpected":"{\\"query\\": \\"sepat"}' },
    ]);
    expect(await calls('sandbox-loop')).toMatchObject([{ name: 'search_products' }]);
    expect(await ask({ model: 'sandbox-loop', messages, tools: [SEARCH], toolChoice: 'none' })).toMatchObject({
      toolCalls: [],
    });
    const injected = await ask({ model: 'sandbox-injected', messages, tools: [SEARCH] });
    expect(injected.toolCalls.map(({ name }) => name)).toEqual(['create_checkout', 'check_payment_status']);
  });

  it('is one request: the client does not retry by itself', async () => {
    const before = llm.requests.length;
    await ask({ model: 'sandbox-500' }).catch(() => undefined);
    expect(llm.requests.length - before).toBe(1);
  });

  it('carries no text of the provider', async () => {
    const baseUrl = await answering('{"error":{"type":"x","message":"canary: your prompt was ..."}}', 400);
    const error: unknown = await ask({}, { baseUrl }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'bad_request' });
    expect(JSON.stringify([String(error), error, (error as Error).stack])).not.toContain('canary');
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['no content', '{"content":null}'],
    ['a block that is no object', '{"content":["a"]}'],
    ['a text that is none', '{"content":[{"type":"text","text":7}]}'],
    ['an input that is no object', '{"content":[{"type":"tool_use","id":"a","name":"x","input":"{}"}]}'],
    ['half a JSON', '{"content":[{"ty'],
  ])('by an answer that is %s has the kind shape', async (_, body) => {
    const baseUrl = await answering(body);
    await expect(ask({}, { baseUrl })).rejects.toMatchObject({ kind: 'shape' });
  });

  it('in the middle of a body has the kind network', async () => {
    const baseUrl = await provider((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"content"');
      setImmediate(() => response.destroy());
    });
    await expect(ask({}, { baseUrl })).rejects.toMatchObject({ kind: 'network' });
  });
});

it('an answer of the sandbox is refused where sandboxes are not allowed', async () =>
  expect(ask({}, { refuseSandbox: true })).rejects.toMatchObject({ kind: 'auth' }));

it('a key without the installed package fails the start; neither is needed where no agent uses Anthropic', async () => {
  const start = (key: string | undefined, installed?: () => boolean) =>
    anthropicPackage({ ANTHROPIC_API_KEY: key }, installed).start?.();
  await expect(start('key', () => false)).rejects.toThrow('ANTHROPIC_API_KEY is set, but the package');
  await expect(start(undefined, () => false)).resolves.toBeUndefined();
  await expect(start('key')).resolves.toBeUndefined();
});
