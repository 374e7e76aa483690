import { startHttpServer, startLlmSandbox, useOpened, useRunning } from '@platform/testing';
import type { Price } from './cost';
import { transcriber } from './speech.client';

const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const ended = useOpened();

const PRICES = new Map<string, Price>([
  ['sandbox-rules-small', { input: 100_000_000n, cached: 100_000_000n, output: 0n }],
]);
const access = { apiKey: 'key', refuseSandbox: false };
const said = (text: string) => Buffer.from(`OggS\u0000\u0001${text}\u0000${'x'.repeat(4_000)}`);

const hear = (file: Buffer, { model = 'sandbox-rules-small', baseUrl = `${llm.url}/v1`, timeoutMs = 5_000 } = {}) =>
  transcriber({ ...access, baseUrl }, model, { current: () => Promise.resolve(PRICES) })(
    file,
    'suara.ogg',
    AbortSignal.timeout(timeoutMs),
  );
const answering = async (body: string) =>
  ended(
    await startHttpServer((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    }),
  ).url;

it('a recording is written down, and its call costs what a second of it costs', async () => {
  expect(await hear(said('SANDBOX-SPEECH: ada sepatu 👟 merah?'))).toEqual({
    value: 'ada sepatu 👟 merah?',
    attempt: {
      provider: 'openai',
      model: 'sandbox-rules-small',
      status: 'ok',
      reply: { text: null, toolCalls: [], finish: 'stop', usage: { in: 3, cached: 0, out: 0 } },
      ms: expect.any(Number),
      httpStatus: 200,
      requestId: expect.stringMatching(/^req_sandbox_/),
      costMicros: 300,
    },
  });
  expect(llm.requests.at(-1)?.body).toMatchObject({
    model: 'sandbox-rules-small',
    response_format: 'json',
    file: { name: 'suara.ogg' },
  });
});

it('a recording in which nothing is said is written down as nothing', async () =>
  expect((await hear(said('silence'))).value).toBe(''));

it.each([
  ['sandbox-429', 'rate', 429],
  ['sandbox-500', 'server', 500],
  ['sandbox-html', 'shape', 200],
  ['whisper-1', 'bad_request', 404],
])('a failure of %s is no text and an attempt with the kind %s', async (model, status, httpStatus) => {
  const { value, attempt } = await hear(said('SANDBOX-SPEECH: halo'), { model });
  expect([value, attempt]).toEqual([undefined, expect.objectContaining({ model, status, httpStatus, reply: null })]);
});

it.each(['sandbox-hang', 'sandbox-stall'])('%s ends with the signal', async (model) =>
  expect(await hear(said('SANDBOX-SPEECH: halo'), { model, timeoutMs: 150 })).toMatchObject({
    attempt: { status: 'timeout', costMicros: null },
  }),
);

it('tokens are counted where the provider tells them; texts lose what cannot be stored', async () => {
  const usage = { type: 'tokens', input_tokens: 40, output_tokens: 8 };
  const baseUrl = await answering(JSON.stringify({ text: ' a\u0000b ', usage }));
  expect(await hear(said(''), { baseUrl })).toMatchObject({
    value: 'ab',
    attempt: { reply: { usage: { in: 40, cached: 0, out: 8 } } },
  });
  const broken = await answering('{"text":7}');
  expect(await hear(said(''), { baseUrl: broken })).toMatchObject({ attempt: { status: 'shape' } });
});

it('an answer of the sandbox is refused where sandboxes are not allowed', async () => {
  const open = { ...access, baseUrl: `${llm.url}/v1`, refuseSandbox: true };
  const heard = transcriber(open, 'sandbox-rules-small', { current: () => Promise.resolve(PRICES) });
  expect(await heard(said('SANDBOX-SPEECH: halo'), 'a.ogg', AbortSignal.timeout(5_000))).toMatchObject({
    attempt: { status: 'auth' },
  });
});
