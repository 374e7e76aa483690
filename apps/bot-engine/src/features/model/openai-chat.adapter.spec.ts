import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { startHttpServer, startLlmSandbox, useOpened, useRunning } from '@platform/testing';
import type { ChatRequest } from './chat.model';
import { openaiChat, type OpenAiOptions } from './openai-chat.adapter';

const REQUEST: ChatRequest = {
  model: 'sandbox-rules-main',
  messages: [
    { role: 'system', content: 'Jam buka: 09.00-21.00' },
    { role: 'user', content: 'jam buka?' },
  ],
  maxTokens: 600,
  temperature: 0.3,
};
const OPTIONS = { apiKey: 'key', tokenParameter: 'max_tokens', sendTemperature: true, refuseSandbox: false } as const;

const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const ended = useOpened();

const ask = (more: Partial<ChatRequest> = {}, options: Partial<OpenAiOptions> = {}, timeoutMs = 5_000) =>
  openaiChat({ ...OPTIONS, baseUrl: `${llm.url}/v1`, ...options }).complete(
    { ...REQUEST, ...more },
    AbortSignal.timeout(timeoutMs),
  );

/** A provider that answers every request with this. */
const provider = async (listener: RequestListener): Promise<string> =>
  `${ended(await startHttpServer(listener)).url}/v1`;
/** Bodies of the requests to `answering`. */
const received: unknown[] = [];
const answering = (body: string, status = 200, headers: Record<string, string> = {}) =>
  provider((request, response) => {
    void json(request).then((sent) => {
      received.push(sent);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });

describe('a chat completion', () => {
  it('is read with all its fields', async () =>
    expect(await ask()).toEqual({
      text: 'Jam buka: 09.00-21.00',
      toolCalls: [],
      finish: 'stop',
      usage: { in: expect.any(Number), cached: 0, out: expect.any(Number) },
      requestId: expect.stringMatching(/^req_sandbox_/),
    }));

  it('is requested as configured, with storing turned off', async () => {
    await ask();
    expect(llm.requests.at(-1)?.body).toEqual({
      model: 'sandbox-rules-main',
      messages: REQUEST.messages,
      max_tokens: 600,
      temperature: 0.3,
      stream: false,
      store: false,
    });
    await ask({}, { tokenParameter: 'max_completion_tokens', sendTemperature: false });
    expect(llm.requests.at(-1)?.body).toEqual({
      model: 'sandbox-rules-main',
      messages: REQUEST.messages,
      max_completion_tokens: 600,
      stream: false,
      store: false,
    });
  });

  it('carries the temperature that the contract fixes, whatever the settings say', async () => {
    await ask({ temperature: 0.1, temperatureRequired: true }, { sendTemperature: false });
    expect(llm.requests.at(-1)?.body).toMatchObject({ temperature: 0.1 });
  });

  it('with tools, their results and pictures is requested in the words of the protocol', async () => {
    const baseUrl = await answering(JSON.stringify({ choices: [{ message: { content: 'ok' } }] }));
    const call = { id: 'c1', name: 'check_stock', argsJson: '{"items":[]}' };
    const parameters = { type: 'object', properties: {} };
    const messages: ChatRequest['messages'] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'ini\u0000 ada? \ud83d' },
          { type: 'image', mediaType: 'image/png', base64: 'AAAA' },
        ],
      },
      { role: 'assistant', content: null, toolCalls: [call, { ...call, id: 'c2', argsJson: '{"items' }] },
      { role: 'tool', toolCallId: 'c1', content: '{"data":[]}' },
      { role: 'tool', toolCallId: 'c2', content: '{"error":"no JSON"}' },
    ];
    const tools = [{ name: 'check_stock', description: 'Stock of products', parameters }];
    await ask({ messages, tools, toolChoice: 'none' }, { baseUrl });
    expect(received.at(-1)).toEqual({
      model: 'sandbox-rules-main',
      max_tokens: 600,
      temperature: 0.3,
      stream: false,
      store: false,
      tools: [{ type: 'function', function: { name: 'check_stock', description: 'Stock of products', parameters } }],
      tool_choice: 'none',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'ini ada? \ufffd' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'check_stock', arguments: '{"items":[]}' } },
            { id: 'c2', type: 'function', function: { name: 'check_stock', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"data":[]}' },
        { role: 'tool', tool_call_id: 'c2', content: '{"error":"no JSON"}' },
      ],
    });
  });

  it('with no tool to offer has no key tools at all', async () => {
    await ask({ tools: [], toolChoice: 'none' });
    expect(Object.keys(llm.requests.at(-1)?.body ?? {})).not.toEqual(expect.arrayContaining(['tools', 'tool_choice']));
  });

  it('with tool calls, cached tokens and finish reason length is read too', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'search_products', arguments: '{"query":' } };
    const choice = {
      index: 0,
      finish_reason: 'tool_calls',
      message: { role: 'assistant', content: null, tool_calls: [call] },
    };
    const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } };
    const baseUrl = await answering(JSON.stringify({ choices: [choice], usage }));
    expect(await ask({}, { baseUrl })).toEqual({
      text: null,
      toolCalls: [{ id: 'c1', name: 'search_products', argsJson: '{"query":' }],
      finish: 'tool_calls',
      usage: { in: 9, cached: 3, out: 4 },
      requestId: undefined,
    });
  });
});

describe('a failure of the model provider', () => {
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

  it('over a context that is too long, a refused key or no server has a kind of its own', async () => {
    const long = { role: 'user' as const, content: 'kata '.repeat(40_000) };
    await expect(ask({ messages: [long] })).rejects.toMatchObject({ kind: 'context', facts: { httpStatus: 400 } });
    await expect(ask({}, { apiKey: 'invalid' })).rejects.toMatchObject({ kind: 'auth', facts: { httpStatus: 401 } });
    await expect(ask({}, { baseUrl: 'http://127.0.0.1:1/v1' })).rejects.toMatchObject({ kind: 'network' });
  });

  it('is one request: the client does not retry by itself', async () => {
    const before = llm.requests.length;
    await ask({ model: 'sandbox-500' }).catch(() => undefined);
    expect(llm.requests.length - before).toBe(1);
  });

  it('carries no text of the provider', async () => {
    const baseUrl = await answering('{"error":{"message":"canary: your prompt was ..."}}', 400);
    const error: unknown = await ask({}, { baseUrl }).catch((thrown: unknown) => thrown);
    expect(JSON.stringify([String(error), error, (error as Error).stack])).not.toContain('canary');
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['no choices', '{"choices":null}'],
    ['a choice without a message', '{"choices":[{"index":0}]}'],
    ['content that is no text', '{"choices":[{"message":{"content":7}}]}'],
    [
      'arguments that are no text',
      '{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"x","arguments":{}}}]}}]}',
    ],
    ['half a JSON', '{"choices":[{"mess'],
  ])('by an answer that is %s has the kind shape', async (_, body) => {
    const baseUrl = await answering(body);
    await expect(ask({}, { baseUrl })).rejects.toMatchObject({ kind: 'shape' });
  });

  it('in the middle of a body has the kind network', async () => {
    const baseUrl = await provider((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"choices"');
      setImmediate(() => response.destroy());
    });
    await expect(ask({}, { baseUrl })).rejects.toMatchObject({ kind: 'network' });
  });

  it('is read with a Retry-After given as a date', async () => {
    const baseUrl = await answering('{}', 429, { 'retry-after': new Date(Date.now() - 60_000).toUTCString() });
    await expect(ask({}, { baseUrl })).rejects.toMatchObject({ kind: 'rate', facts: { retryAfterMs: 0 } });
  });
});

it('an answer of the sandbox is refused where sandboxes are not allowed', async () =>
  expect(ask({}, { refuseSandbox: true })).rejects.toMatchObject({ kind: 'auth' }));
