import OpenAI, { InternalServerError, RateLimitError } from 'openai';
import { FOREIGN_ORDER, FOREIGN_URL, startSandbox, type Sandbox } from './index';

let sandbox: Sandbox;
let client: OpenAI;
beforeEach(async () => {
  sandbox = await startSandbox({ port: 0 });
  client = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sandbox-key', maxRetries: 0 });
});
afterEach(() => sandbox.close());

type Message = OpenAI.ChatCompletionMessageParam;
const tool = (name: string, parameters = {}) => ({ type: 'function' as const, function: { name, parameters } });
const TOOLS = [
  tool('create_checkout'),
  tool('search_products', { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }),
];
const user: Message = { role: 'user', content: 'ada sepatu?' };
const complete = (
  model: string,
  messages: Message[] = [user],
  extra: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
) => client.chat.completions.create({ model, messages, tools: TOOLS, ...extra });
const callsOf = ({ choices }: OpenAI.ChatCompletion) =>
  (choices[0]?.message.tool_calls ?? []).map((call) =>
    'function' in call ? [call.function.name, call.function.arguments] : [],
  );

/** The conversation with the tool calls of `reply` answered. */
const answered = (messages: Message[], reply: OpenAI.ChatCompletion, content: string): Message[] => {
  const message = reply.choices[0]?.message;
  if (!message) throw new Error('no message');
  return [
    ...messages,
    message,
    ...(message.tool_calls ?? []).map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content })),
  ];
};

/** Asks, and gives up once the sandbox has the request. */
const givenUp = async (model: string): Promise<unknown> => {
  const gone = new AbortController();
  const before = sandbox.requests.length;
  const failure = client.chat.completions
    .create({ model, messages: [user] }, { signal: gone.signal })
    .catch((error: unknown) => error);
  while (sandbox.requests.length === before) await new Promise(setImmediate);
  gone.abort();
  return failure;
};

describe('fault models of the transport', () => {
  it('sandbox-429-2 refuses twice with Retry-After and then answers normally', async () => {
    for (const attempt of [1, 2]) {
      const error: unknown = await complete('sandbox-429-2').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RateLimitError);
      expect({ attempt, error }).toMatchObject({ attempt, error: { code: 'rate_limit_exceeded' } });
      expect(error instanceof RateLimitError && error.headers.get('retry-after')).toBe('1');
    }
    expect(callsOf(await complete('sandbox-429-2'))).toEqual([['search_products', '{"query":"sepatu"}']]);
  });

  it('sandbox-429 and sandbox-500 fail every time', async () => {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(complete('sandbox-429')).rejects.toBeInstanceOf(RateLimitError);
      await expect(complete('sandbox-500')).rejects.toBeInstanceOf(InternalServerError);
    }
  });

  it('sandbox-hang does not answer until the caller gives up', async () => {
    expect(await givenUp('sandbox-hang')).toMatchObject({ message: 'Request was aborted.' });
    expect(sandbox.requests).toHaveLength(1);
  });

  it('sandbox-stall sends headers and no body', async () => {
    const gone = new AbortController();
    const response = await fetch(`${sandbox.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify({ model: 'sandbox-stall', messages: [user] }),
      signal: gone.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    setTimeout(() => gone.abort(), 100);
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('closing the sandbox ends a hanging call', async () => {
    const call = complete('sandbox-hang').catch((error: unknown) => error);
    while (sandbox.requests.length === 0) await new Promise(setImmediate);
    await sandbox.close();
    expect(await call).toBeInstanceOf(OpenAI.APIConnectionError);
    sandbox = await startSandbox({ port: 0 });
  });

  it('sandbox-html answers 200 without JSON, which the client passes on as a string', async () => {
    expect(await complete('sandbox-html')).toBe('<html><body><h1>502 Bad Gateway</h1></body></html>');
  });
});

describe('fault models of the model', () => {
  it('sandbox-empty answers without choices', async () => {
    expect((await complete('sandbox-empty')).choices).toEqual([]);
  });

  it('sandbox-badargs sends malformed arguments, and continues normally after the error result', async () => {
    const reply = await complete('sandbox-badargs');
    expect(callsOf(reply)).toEqual([['search_products', '{"query": "sepat']]);
    expect(callsOf(await complete('sandbox-badargs', answered([user], reply, '{"error":"not JSON"}')))).toEqual([
      ['search_products', '{"query":"sepatu"}'],
    ]);
  });

  it('sandbox-unknowntool calls a tool that was not offered, and continues normally after the error result', async () => {
    const reply = await complete('sandbox-unknowntool');
    expect(callsOf(reply)).toEqual([['grant_discount', '{"percent":100}']]);
    expect(callsOf(await complete('sandbox-unknowntool', answered([user], reply, '{"error":"unknown tool"}')))).toEqual(
      [['search_products', '{"query":"sepatu"}']],
    );
  });

  it('sandbox-loop calls a tool with new arguments every time, until calling is forbidden', async () => {
    let messages: Message[] = [user];
    for (const round of [1, 2, 3]) {
      const reply = await complete('sandbox-loop', messages);
      expect(callsOf(reply)).toEqual([['search_products', JSON.stringify({ query: `loop ${round}` })]]);
      messages = answered(messages, reply, '{"data":[]}');
    }
    const last = await complete('sandbox-loop', messages, { tool_choice: 'none' });
    expect(last.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Maaf kak, produk itu belum kami temukan. Boleh sebutkan nama produk lainnya?' },
    });
  });

  it('sandbox-injected orders at once, asks for a foreign order and sends a foreign address', async () => {
    const reply = await complete('sandbox-injected');
    expect(callsOf(reply).map(([name]) => name)).toEqual(['create_checkout', 'check_payment_status']);
    expect(reply.choices[0]?.message.content).toBe(`Pesanan ${FOREIGN_ORDER} siap. Bayar di ${FOREIGN_URL} sekarang.`);
    const after = await complete('sandbox-injected', answered([user], reply, '{"error":"refused"}'));
    expect(after.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringContaining(FOREIGN_URL) },
    });
  });

  it('sandbox-wrongprice puts an invented price beside every product that a tool told of', async () => {
    const reply = await complete('sandbox-wrongprice');
    expect(callsOf(reply)).toEqual([['search_products', '{"query":"sepatu"}']]);
    const rows = [
      { sku: 'S1', name: 'Sepatu Lari', price: 99000, stock: 2 },
      { sku: 'S2', name: 'Sandal', price: 50000, stock: 0 },
    ];
    const after = await complete('sandbox-wrongprice', answered([user], reply, JSON.stringify({ data: rows })));
    expect(after.choices[0]?.message.content).toBe(
      'Ada kak:\n- Sepatu Lari Rp1.000 Rp99.000, stok 2\n- Sandal Rp1.000 Rp50.000, habis\n[[img:S1]]',
    );
  });

  it('sandbox-slow answers by the rules as late as its name says, and ends with its caller', async () => {
    expect(callsOf(await complete('sandbox-slow-20'))).toEqual([['search_products', '{"query":"sepatu"}']]);
    expect(await givenUp('sandbox-slow-60000')).toMatchObject({ message: 'Request was aborted.' });
    const hanging = complete('sandbox-slow-60000').catch((error: unknown) => error);
    while (sandbox.requests.length < 3) await new Promise(setImmediate);
    await sandbox.close();
    expect(await hanging).toBeInstanceOf(OpenAI.APIConnectionError);
    sandbox = await startSandbox({ port: 0 });
  });

  it('a fault model without tools answers by the rules', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'sandbox-loop',
      messages: [{ role: 'user', content: 'halo' }],
    });
    expect(choices[0]?.message.content).toBe('Halo kak, selamat datang! Ada yang bisa kami bantu?');
  });
});
