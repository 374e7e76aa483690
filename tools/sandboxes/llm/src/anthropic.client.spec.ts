import Anthropic, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { startSandbox, type Sandbox } from './index';

const SEARCH: Anthropic.Tool = {
  name: 'search_products',
  input_schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const ask = (content: string, model = 'sandbox-rules-main') => ({
  model,
  max_tokens: 600,
  system: 'Nama toko: Nusa Sport. Garansi sepatu berlaku 30 hari.',
  messages: [{ role: 'user' as const, content }],
});

let sandbox: Sandbox;
let client: Anthropic;
const clientWith = (apiKey: string) => new Anthropic({ baseURL: sandbox.url, apiKey, maxRetries: 0 });

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  client = clientWith('sandbox-key');
});
afterAll(() => sandbox.close());

describe('the official @anthropic-ai/sdk client', () => {
  it('receives a complete message', async () => {
    expect(await client.messages.create(ask('garansi sepatu?'))).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: 'message',
      role: 'assistant',
      model: 'sandbox-rules-main',
      content: [{ type: 'text', text: 'Garansi sepatu berlaku 30 hari.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 27, output_tokens: 8 },
    });
  });

  it('receives a tool call with an input object, and an answer from the tool_result block', async () => {
    const first = await client.messages.create({ ...ask('ada sepatu lari?'), tools: [SEARCH] });
    expect(first.stop_reason).toBe('tool_use');
    expect(first.content).toEqual([
      {
        type: 'tool_use',
        id: expect.stringMatching(/^toolu_[0-9a-f]{20}0$/),
        name: 'search_products',
        input: { query: 'sepatu lari' },
      },
    ]);
    const [use] = first.content;
    if (use?.type !== 'tool_use') throw new Error('no tool_use block');
    const rows = JSON.stringify({ data: [{ sku: 'S1', name: 'Sepatu Lari', price: 99000, stock: 0 }] });
    const second = await client.messages.create({
      ...ask(''),
      tools: [SEARCH],
      messages: [
        { role: 'user', content: 'ada sepatu lari?' },
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: use.id, content: [{ type: 'text', text: rows }] }],
        },
      ],
    });
    expect(second.content).toEqual([{ type: 'text', text: 'Ada kak, Sepatu Lari Rp99.000, habis.\n[[img:S1]]' }]);
  });

  it('receives an apology for a tool_result marked is_error, without its content', async () => {
    const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'search_products', input: { query: 'sepatu lari' } };
    const { content } = await client.messages.create({
      ...ask(''),
      tools: [SEARCH],
      messages: [
        { role: 'user', content: 'ada sepatu lari?' },
        { role: 'assistant', content: [use] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: 'ECONNREFUSED' }],
        },
      ],
    });
    expect(content).toEqual([
      { type: 'text', text: 'Maaf kak, datanya belum bisa kami cek sekarang. Mau kami sambungkan ke tim kami?' },
    ]);
  });

  it('streams text and tool input to the same message', async () => {
    const text = client.messages.stream(ask('halo'));
    const events: string[] = [];
    text.on('streamEvent', ({ type }) => events.push(type));
    expect((await text.finalMessage()).content).toEqual((await client.messages.create(ask('halo'))).content);
    expect([...new Set(events)]).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);

    const tool = await client.messages.stream({ ...ask('ada sepatu lari?'), tools: [SEARCH] }).finalMessage();
    expect({ content: tool.content, stop: tool.stop_reason, usage: tool.usage }).toMatchObject({
      content: [{ type: 'tool_use', name: 'search_products', input: { query: 'sepatu lari' } }],
      stop: 'tool_use',
      usage: { output_tokens: 10 },
    });
  });

  it('honours max_tokens and a forced tool', async () => {
    expect(await client.messages.create({ ...ask('halo'), max_tokens: 2 })).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ type: 'text', text: 'Halo kak' }],
    });
    const forced = await client.messages.create({
      ...ask('halo'),
      tools: [SEARCH],
      tool_choice: { type: 'tool', name: 'search_products' },
    });
    expect(forced.content).toMatchObject([{ type: 'tool_use', input: { query: 'halo' } }]);
  });

  it('receives the type and the size of a picture', async () => {
    const data = Buffer.alloc(300).toString('base64');
    const source = { type: 'base64' as const, media_type: 'image/webp' as const, data };
    const { content, usage } = await client.messages.create({
      ...ask(''),
      messages: [{ role: 'user', content: [{ type: 'image', source }] }],
    });
    expect(content).toEqual([{ type: 'text', text: 'Gambar: image/webp 300 byte.' }]);
    expect(usage.input_tokens).toBeGreaterThan(765);
  });

  it('throws its typed errors', async () => {
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      );
    const wrongKey = await failure(clientWith('sk-invalid').messages.create(ask('halo')));
    expect(wrongKey).toBeInstanceOf(AuthenticationError);
    expect(wrongKey).toMatchObject({
      status: 401,
      type: 'authentication_error',
      requestID: expect.stringMatching(/^req_sandbox_\d+$/),
    });
    expect(await failure(client.messages.create(ask('halo', 'gpt-x')))).toBeInstanceOf(NotFoundError);
    expect(await failure(client.messages.create({ ...ask('halo'), messages: [] }))).toBeInstanceOf(BadRequestError);
    expect(await failure(client.messages.create(ask('halo', 'sandbox-500')))).toBeInstanceOf(InternalServerError);
    const limited = await failure(client.messages.create(ask('halo', 'sandbox-429')));
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited instanceof RateLimitError && limited.headers.get('retry-after')).toBe('1');
  });

  it("receives model faults in the vendor's shape", async () => {
    expect((await client.messages.create(ask('ada sepatu?', 'sandbox-empty'))).content).toEqual([]);
    const bad = await client.messages.create({ ...ask('ada sepatu?', 'sandbox-badargs'), tools: [SEARCH] });
    expect(bad.content).toMatchObject([
      { type: 'tool_use', name: 'search_products', input: { unexpected: '{"query": "sepat' } },
    ]);
  });
});
