import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  embedMany,
  experimental_transcribe as transcribe,
  generateText,
  stepCountIs,
  streamText,
  tool,
  type LanguageModel,
} from 'ai';
import { z } from 'zod';
import { startSandbox, type Sandbox } from './index';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());

const openai = () => createOpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sandbox-key' });
const anthropic = () => createAnthropic({ baseURL: `${sandbox.url}/v1`, apiKey: 'sandbox-key' });
const SYSTEM = 'Nama toko: Nusa Sport. Garansi sepatu berlaku 30 hari.';
const PROVIDERS: [string, () => LanguageModel][] = [
  ['OpenAI', () => openai().chat('sandbox-rules-main')],
  ['Anthropic', () => anthropic()('sandbox-rules-main')],
];

describe.each(PROVIDERS)('the ai package, speaking to %s', (_, model) => {
  it('receives a text with its usage', async () => {
    const { text, finishReason, usage } = await generateText({
      model: model(),
      maxOutputTokens: 600,
      system: SYSTEM,
      prompt: 'garansi sepatu?',
    });
    expect([text, finishReason, usage.outputTokens]).toEqual(['Garansi sepatu berlaku 30 hari.', 'stop', 8]);
    expect(usage.inputTokens).toBeGreaterThan(20);
  });

  it('calls a tool, gives its result back and receives the text made of it', async () => {
    const search_products = tool({
      description: 'finds products',
      inputSchema: z.object({ query: z.string() }),
      execute: async ({ query }) => ({ data: [{ sku: 'S1', name: `Hasil ${query}`, price: 250_000, stock: 7 }] }),
    });
    const { text, steps } = await generateText({
      model: model(),
      maxOutputTokens: 600,
      prompt: 'ada sepatu lari hitam?',
      tools: { search_products },
      stopWhen: stepCountIs(3),
    });
    expect(steps.map(({ toolCalls }) => toolCalls.map(({ toolName, input }) => [toolName, input]))).toEqual([
      [['search_products', { query: 'sepatu lari hitam' }]],
      [],
    ]);
    expect(text).toBe('Ada kak, Hasil sepatu lari hitam Rp250.000, stok 7.\n[[img:S1]]');
  });

  it('streams a text to its end', async () => {
    const { textStream, finishReason } = streamText({
      model: model(),
      maxOutputTokens: 600,
      system: SYSTEM,
      prompt: 'halo',
    });
    const parts: string[] = [];
    for await (const part of textStream) parts.push(part);
    expect(parts.length).toBeGreaterThan(1);
    expect([parts.join(''), await finishReason]).toEqual([
      'Halo kak, selamat datang di Nusa Sport! Ada yang bisa kami bantu?',
      'stop',
    ]);
  });

  it('shows a picture', async () => {
    const picture = { type: 'image' as const, image: Buffer.alloc(70), mediaType: 'image/png' };
    const { text } = await generateText({
      model: model(),
      maxOutputTokens: 600,
      messages: [{ role: 'user', content: [picture] }],
    });
    expect(text).toBe('Gambar: image/png 70 byte.');
  });

  it('is told why it was refused', async () => {
    const unknown = (model() as { provider: string }).provider.startsWith('openai')
      ? openai().chat('gpt-x')
      : anthropic()('claude-x');
    await expect(generateText({ model: unknown, prompt: 'halo', maxRetries: 0 })).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 404,
    });
  });
});

describe('the ai package', () => {
  it('embeds texts', async () => {
    const { embeddings, usage } = await embedMany({
      model: openai().textEmbeddingModel('sandbox-rules-small'),
      values: ['sepatu lari', 'ongkos kirim'],
    });
    expect([embeddings.map(({ length }) => length), usage.tokens]).toEqual([[256, 256], 6]);
  });

  it('has a recording written down', async () => {
    const audio = Buffer.from('OggS\u0000\u0001SANDBOX-SPEECH: mau pesan dua\u0000');
    const { text } = await transcribe({ model: openai().transcription('sandbox-rules-small'), audio });
    expect(text).toBe('mau pesan dua');
  });
});
