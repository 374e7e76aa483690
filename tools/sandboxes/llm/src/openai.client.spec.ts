import OpenAI, { AuthenticationError, BadRequestError, NotFoundError, toFile } from 'openai';
import { startSandbox, type Sandbox } from './index';

const SYSTEM =
  'Kamu asisten toko. Nama toko: Nusa Sport. Jam buka: 09.00-21.00 setiap hari. Garansi sepatu berlaku 30 hari.';
const SEARCH = {
  type: 'function' as const,
  function: {
    name: 'search_products',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
};

let sandbox: Sandbox;
let client: OpenAI;
const clientWith = (apiKey: string) => new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey, maxRetries: 0 });

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  client = clientWith('sandbox-key');
});
afterAll(() => sandbox.close());

const ask = (content: string) => ({
  model: 'sandbox-rules-main',
  messages: [
    { role: 'system' as const, content: SYSTEM },
    { role: 'user' as const, content },
  ],
});

describe('the official openai client', () => {
  it('receives a complete completion that is marked as not from a model', async () => {
    const { data, response, request_id } = await client.chat.completions
      .create(ask('garansi sepatu berapa hari?'))
      .withResponse();
    expect(data).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'sandbox-rules-main',
      system_fingerprint: 'sandbox-rules-not-a-model',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', content: 'Garansi sepatu berlaku 30 hari.', refusal: null },
        },
      ],
      usage: { prompt_tokens: 51, completion_tokens: 8, total_tokens: 59 },
    });
    expect(response.headers.get('x-sandbox')).toBe('true');
    expect(request_id).toMatch(/^req_sandbox_\d+$/);
  });

  it('receives the same answer to the same request', async () => {
    const first = await client.chat.completions.create(ask('halo'));
    expect(await client.chat.completions.create(ask('halo'))).toEqual(first);
  });

  it('receives a call of an offered tool with string arguments', async () => {
    const { choices } = await client.chat.completions.create({ ...ask('ada sepatu lari hitam?'), tools: [SEARCH] });
    expect(choices).toEqual([
      {
        index: 0,
        finish_reason: 'tool_calls',
        logprobs: null,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [
            {
              id: expect.stringMatching(/^call_[0-9a-f]{20}0$/),
              type: 'function',
              function: { name: 'search_products', arguments: '{"query":"sepatu lari hitam"}' },
            },
          ],
        },
      },
    ]);
  });

  it('streams text in pieces and reports usage at the end', async () => {
    const stream = client.chat.completions.stream({ ...ask('halo'), stream_options: { include_usage: true } });
    const parts: string[] = [];
    stream.on('content', (part) => parts.push(part));
    const final = await stream.finalChatCompletion();
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(
      'Halo kak, selamat datang di Nusa Sport! Kami buka 09.00-21.00 setiap hari. Ada yang bisa kami bantu?',
    );
    expect(final.choices[0]?.finish_reason).toBe('stop');
    expect(final.usage).toEqual({ prompt_tokens: 45, completion_tokens: 25, total_tokens: 70 });
  });

  it('streams tool calls with an index and fragments of their arguments', async () => {
    const stream = client.chat.completions.stream({ ...ask('ada sepatu lari hitam?'), tools: [SEARCH] });
    const fragments: string[] = [];
    stream.on('chunk', ({ choices }) => {
      const part = choices[0]?.delta.tool_calls?.[0];
      if (part) fragments.push(`${part.index}:${part.function?.arguments}`);
    });
    const message = await stream.finalMessage();
    expect(fragments).toEqual(['0:', '0:{"query":"sepatu', '0: lari hitam"}']);
    expect(message.tool_calls?.map((call) => ('function' in call ? call.function : undefined))).toEqual([
      { name: 'search_products', arguments: '{"query":"sepatu lari hitam"}' },
    ]);
  });

  it('runs its own tool loop until an answer from the tool result', async () => {
    const runner = client.chat.completions.runTools({
      ...ask('ada sepatu lari hitam?'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'search_products',
            description: 'finds products',
            parameters: SEARCH.function.parameters,
            parse: (text: string) => JSON.parse(text) as { query: string },
            function: ({ query }: { query: string }) =>
              JSON.stringify({ data: [{ sku: 'S1', name: `Hasil ${query}`, price: 250000, stock: 7 }] }),
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('Ada kak, Hasil sepatu lari hitam Rp250.000, stok 7.\n[[img:S1]]');
  });

  it('reads the same embeddings in base64 and as floats, which are near for texts that share words', async () => {
    const input = ['sepatu lari hitam', 'sepatu lari putih', 'ongkos kirim bandung'];
    const { data, model, usage } = await client.embeddings.create({ model: 'sandbox-rules-small', input });
    const floats = await client.embeddings.create({ model: 'sandbox-rules-small', input, encoding_format: 'float' });
    expect(data).toEqual(floats.data);
    expect({ model, usage, lengths: data.map(({ embedding }) => embedding.length) }).toEqual({
      model: 'sandbox-rules-small',
      usage: { prompt_tokens: 15, total_tokens: 15 },
      lengths: [256, 256, 256],
    });
    const similarity = (a: number, b: number) =>
      (data[a]?.embedding ?? []).reduce((sum, value, at) => sum + value * (data[b]?.embedding[at] ?? 0), 0);
    expect(similarity(0, 0)).toBeCloseTo(1, 5);
    expect(similarity(0, 1)).toBeGreaterThan(similarity(0, 2));
  });

  it('receives what is said in a recording, in every format it asks for', async () => {
    const heard = (text: string) => toFile(Buffer.from(`OggS\u0000\u0001${text}\u0000\u0002`), 'suara.ogg');
    const file = await heard('SANDBOX-SPEECH: ada sepatu merah? 👟');
    const ask = { model: 'sandbox-rules-small', file };
    const text = 'ada sepatu merah? 👟';
    const usage = { type: 'duration', seconds: 1 };
    expect(await client.audio.transcriptions.create(ask)).toEqual({ text, usage });
    expect(await client.audio.transcriptions.create({ ...ask, response_format: 'text' })).toBe(`${text}\n`);
    expect(await client.audio.transcriptions.create({ ...ask, response_format: 'verbose_json' })).toEqual({
      ...{ task: 'transcribe', language: 'indonesian', duration: 1, text, segments: [], usage },
    });
    expect(sandbox.requests.at(-1)).toMatchObject({
      path: '/v1/audio/transcriptions',
      body: { model: 'sandbox-rules-small', response_format: 'verbose_json', file: { name: 'suara.ogg', bytes: 46 } },
    });
    expect((await client.audio.transcriptions.create({ ...ask, file: await heard('nothing') })).text).toBe('');
    expect((await client.audio.transcriptions.create({ ...ask, model: 'sandbox-empty' })).text).toBe('');
    await expect(client.audio.transcriptions.create({ ...ask, model: 'whisper-1' })).rejects.toThrow(NotFoundError);
    await expect(client.audio.transcriptions.create({ ...ask, response_format: 'srt' })).rejects.toThrow(
      "'response_format' must be json, verbose_json or text here.",
    );
  });

  it('receives the type and the size of a picture, beside the answer to what is asked with it', async () => {
    const url = `data:image/png;base64,${Buffer.alloc(600_001).toString('base64')}`;
    const picture = { type: 'image_url' as const, image_url: { url } };
    const say = async (text: string) => {
      const content = [{ type: 'text' as const, text }, picture];
      const reply = await client.chat.completions.create({ ...ask(''), messages: [{ role: 'user', content }] });
      return [reply.choices[0]?.message.content, reply.usage?.prompt_tokens];
    };
    expect(await say('[gambar]')).toEqual(['Gambar: image/png 600001 byte.', 788]);
    expect(await say('ada yang begini kak?')).toEqual([
      'Gambar: image/png 600001 byte.\nMaaf kak, informasi itu belum ada pada kami. Ada lagi yang bisa kami bantu?',
      791,
    ]);
    expect(JSON.stringify(sandbox.requests.at(-1)?.body).length).toBeLessThan(1_000);
    const far = { type: 'image_url' as const, image_url: { url: 'https://cdn.example/1.png' } };
    await expect(
      client.chat.completions.create({ ...ask(''), messages: [{ role: 'user', content: [far] }] }),
    ).rejects.toThrow('reads pictures from data URLs');
  });

  it('lists the two models', async () => {
    const models = await client.models.list();
    expect(models.data.map(({ id, owned_by }) => ({ id, owned_by }))).toEqual([
      { id: 'sandbox-rules-small', owned_by: 'sandbox' },
      { id: 'sandbox-rules-main', owned_by: 'sandbox' },
    ]);
    expect((await client.models.retrieve('sandbox-rules-main')).id).toBe('sandbox-rules-main');
  });

  it('receives an answer truncated at max_tokens, marked as such', async () => {
    const { choices, usage } = await client.chat.completions.create({ ...ask('halo'), max_tokens: 3 });
    expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Halo kak, se' } });
    expect(usage?.completion_tokens).toBe(3);
  });

  it('throws its typed errors', async () => {
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      );
    const wrongKey = await failure(clientWith('sk-invalid').chat.completions.create(ask('halo')));
    expect(wrongKey).toBeInstanceOf(AuthenticationError);
    expect(wrongKey).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });

    const wrongModel = await failure(client.chat.completions.create({ ...ask('halo'), model: 'gpt-x' }));
    expect(wrongModel).toBeInstanceOf(NotFoundError);
    expect(wrongModel).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });

    const tooLong = await failure(client.chat.completions.create(ask('sepatu '.repeat(20_000))));
    expect(tooLong).toBeInstanceOf(BadRequestError);
    expect(tooLong).toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });

  it('is refused a tool call without a result, as by a real provider', async () => {
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'search_products', arguments: '{}' } };
    const messages = [
      { role: 'user' as const, content: 'ada sepatu?' },
      { role: 'assistant' as const, tool_calls: [call] },
    ];
    await expect(client.chat.completions.create({ model: 'sandbox-rules-main', messages })).rejects.toThrow(
      'without a result: call_1',
    );
    const orphan = [
      { role: 'user' as const, content: 'ada sepatu?' },
      { role: 'tool' as const, tool_call_id: 'call_9', content: '{}' },
    ];
    await expect(client.chat.completions.create({ model: 'sandbox-rules-main', messages: orphan })).rejects.toThrow(
      "'call_9' answers none",
    );
  });

  it('calls a tool when the request forces one', async () => {
    const forced = await client.chat.completions.create({ ...ask('halo'), tools: [SEARCH], tool_choice: 'required' });
    expect(forced.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'search_products', arguments: '{"query":"halo"}' },
    });
    const none = await client.chat.completions.create({ ...ask('ada sepatu?'), tools: [SEARCH], tool_choice: 'none' });
    expect(none.choices[0]?.message).toEqual({
      role: 'assistant',
      refusal: null,
      content: 'Garansi sepatu berlaku 30 hari.',
    });
  });
});
