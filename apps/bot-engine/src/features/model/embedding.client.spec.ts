import { startHttpServer, startLlmSandbox, useOpened, useRunning } from '@platform/testing';
import { embedder, MOST_TEXTS } from './embedding.client';

const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const ended = useOpened();
const PRICES = { current: () => Promise.resolve(new Map()) };

const open = ({ model = 'sandbox-rules-small', baseUrl = `${llm.url}/v1` } = {}) =>
  embedder({ apiKey: 'key', baseUrl, refuseSandbox: false }, model, PRICES);
const embed = (texts: readonly string[], options: Parameters<typeof open>[0] = {}, timeoutMs = 5_000) =>
  open(options).embed(texts, AbortSignal.timeout(timeoutMs));
const answering = async (body: unknown) =>
  ended(
    await startHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
  ).url;
const product = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

it('texts become vectors of length 1 in their order, near each other when they share words', async () => {
  const { value = [], attempt } = await embed(['sepatu lari hitam', 'sepatu lari\u0000 putih', 'ongkir bandung', '  ']);
  expect(value.map(({ length }) => length)).toEqual([256, 256, 256, 256]);
  expect(product(value[0], value[0])).toBeCloseTo(1, 5);
  expect(product(value[0], value[1])).toBeGreaterThan(product(value[0], value[2]));
  expect(attempt).toMatchObject({ status: 'ok', model: 'sandbox-rules-small', costMicros: null });
  expect(attempt.reply?.usage).toEqual({ in: 15, cached: 0, out: 0 });
});

it.each([
  ['sandbox-429', 'rate'],
  ['sandbox-500', 'server'],
  ['sandbox-html', 'shape'],
  ['sandbox-stall', 'timeout'],
])('a failure of %s is no vectors and an attempt with the kind %s', async (model, status) =>
  expect(await embed(['halo'], { model }, model === 'sandbox-stall' ? 150 : 5_000)).toEqual({
    value: undefined,
    attempt: expect.objectContaining({ status, reply: null }),
  }),
);

it.each([
  ['no rows', {}],
  ['too few rows', { data: [{ index: 0, embedding: [1] }] }],
  [
    'vectors of two sizes',
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [1, 2] },
      ],
    },
  ],
  [
    'the same row twice',
    {
      data: [
        { index: 1, embedding: [1] },
        { index: 1, embedding: [2] },
      ],
    },
  ],
  [
    'a vector of words',
    {
      data: [
        { index: 0, embedding: ['x'] },
        { index: 1, embedding: [1] },
      ],
    },
  ],
])('an answer with %s has the kind shape', async (_, body) => {
  const baseUrl = await answering(body);
  expect(await embed(['a', 'b'], { baseUrl })).toMatchObject({ attempt: { status: 'shape' } });
});

it('rows in another order are put in that of the texts', async () => {
  const data = [
    { index: 1, embedding: [0, 3] },
    { index: 0, embedding: [4, 0] },
  ];
  const baseUrl = await answering({ data, usage: { prompt_tokens: 2 } });
  expect((await embed(['a', 'b'], { baseUrl })).value).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
});

it('more texts than a provider takes at once are a mistake of the caller', () =>
  expect(() => embed(Array.from({ length: MOST_TEXTS + 1 }, () => 'a'))).toThrow(RangeError));
