import { silentLogger, type Settled } from '@platform/runtime';
import type { TextAnswer } from './answer';
import { Flag } from '@platform/validation';
import { endpointsOf } from './endpoint';
import { Kept, onceOf, Unkept, type IdempotencyStore } from './idempotency';
import { startService, type RunningService } from './server';
import { fixtureService, memoryStore, type Caller, type Ledger } from './service.fixture';

const store = memoryStore();
class Looked {
  @Flag({ optional: true }) look?: boolean;
}
let service: RunningService;
beforeAll(async () => {
  service = await startService(fixtureService({ idempotency: store as IdempotencyStore }), {
    port: 0,
    host: '127.0.0.1',
    logger: silentLogger,
  });
});
afterAll(() => service.stop());

const once = async (text: string, key?: string, { tenant = 'S1', path = '/v1/once' } = {}) => {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${tenant}`,
      'content-type': 'application/json',
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify({ text }),
  });
  const body = await answer.text();
  const { headers, status } = answer;
  return { status, body: (body ? JSON.parse(body) : null) as { n?: number }, headers };
};

const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replay');

describe('an endpoint with Idempotency-Key', () => {
  it('does the work of every request without a key', async () =>
    expect((await once('a')).body.n).not.toBe((await once('a')).body.n));

  it('answers a repeat with the first answer, separately for each caller, and marks it as replayed', async () => {
    const first = await once('a', 'k1');
    expect(replayed(first)).toBeNull();
    const again = await once('a', 'k1');
    expect([again.status, again.body, replayed(again)]).toEqual([first.status, first.body, 'true']);
    expect((await once('a', 'k1', { tenant: 'S2' })).body.n).not.toBe(first.body.n);
  });

  it('refuses another request under the same key', async () => {
    await once('a', 'k2');
    expect((await once('b', 'k2')).body).toEqual({
      result: false,
      message: 'Idempotency-Key was used with a different request',
      code: 'idempotency_mismatch',
    });
  });

  it('knows a repeat by nothing that is secret in its body', async () => {
    const path = '/v1/once-secretly';
    const first = await once('730194', 'k-secret', { path });
    const again = await once('111111', 'k-secret', { path });
    expect([again.status, again.body, replayed(again)]).toEqual([first.status, first.body, 'true']);
  });

  it('answers a repeat of a running request with Retry-After, and does its work once', async () => {
    const before = store.charges.length;
    const answers = await Promise.all([once('wait', 'k5'), once('wait', 'k5')]);
    const refused = answers.filter(({ body }) => body.n === undefined);
    expect(refused.map(({ body, headers }) => [body, headers.get('retry-after')])).toEqual([
      [
        {
          result: false,
          message: 'a request with this Idempotency-Key is still running',
          code: 'idempotency_running',
        },
        '1',
      ],
    ]);
    expect(store.charges.length).toBe(before + 1);
  });

  it('rolls back the work of a refused request and frees its key', async () => {
    const before = store.charges.length;
    expect((await once('no', 'k3')).body).toEqual({ result: false, message: 'no' });
    expect(store.charges.length).toBe(before);
    expect((await once('a', 'k3')).body.n).toBe(before + 1);
  });

  it('replays a redirect with all its cookies', async () => {
    const path = '/v1/once/redirect';
    const first = await once('a', 'k4', { path });
    const again = await once('a', 'k4', { path });
    for (const { status, headers } of [first, again])
      expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([
        303,
        `/charges/${store.charges.length}`,
        ['a=1', 'b=2'],
      ]);
    expect(replayed(again)).toBe('true');
  });

  it('refuses a missing key where one is required, before any work', async () => {
    const before = store.charges.length;
    const { status, body } = await once('a', undefined, { path: '/v1/once/redirect' });
    expect([status, body]).toEqual([
      422,
      {
        errors: [{ field: 'Idempotency-Key', tag: 'required', message: 'Idempotency-Key is a required header' }],
      },
    ]);
    expect(store.charges.length).toBe(before);
  });

  it.each(['with space', 'x'.repeat(256)])('refuses a key that is no short printable text: %s', async (key) => {
    const { status, body } = await once('a', key);
    const message = 'Idempotency-Key must be 1 to 255 printable characters';
    expect([status, body]).toEqual([422, { errors: [{ field: 'Idempotency-Key', tag: 'format', message }] }]);
  });

  it('accepts a key of 255 characters', async () => expect((await once('a', 'x'.repeat(255))).status).toBe(200));
});

it('an answer for which no work was done is not kept, and its key is free for the work', async () => {
  const spread = endpointsOf<{ token: Caller }, Ledger>();
  const looking = spread({
    post: '/v1/once/look',
    summary: 'Idempotent, unless somebody only looks',
    guard: 'token',
    idempotency: 'required',
    body: Looked,
    reply: 'json',
    refuses: [],
    handle: ({ body: { look }, once: work }) =>
      look ? (new Unkept({ looked: true }) as never) : work(async (ledger) => ({ n: ledger.charge(1) })),
  });
  const parts = fixtureService({ endpoints: [looking], idempotency: memoryStore() as IdempotencyStore });
  const running = await startService(parts, { port: 0, host: '127.0.0.1', logger: silentLogger });
  try {
    const ask = async (body: object): Promise<unknown> => {
      const headers = { authorization: 'Bearer S1', 'content-type': 'application/json', 'idempotency-key': 'look-1' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${running.url}/v1/once/look`, request)).json();
    };
    const looks = [await ask({ look: true }), await ask({ look: true })];
    const [first, again] = [await ask({}), await ask({})];
    expect(looks).toEqual([expect.objectContaining({ looked: true }), expect.objectContaining({ looked: true })]);
    expect([first, again]).toEqual([expect.objectContaining({ n: expect.any(Number) as number }), first]);
  } finally {
    await running.stop();
  }
});

describe('an endpoint with Idempotency-Key that takes a file', () => {
  const spread = endpointsOf<{ token: Caller }, Ledger>();
  const takesFile = spread({
    post: '/v1/once/file',
    summary: 'Idempotent, with a file',
    guard: 'token',
    accepts: ['multipart'],
    files: { receipt: { maxBytes: 1024 * 1024 } },
    bodyLimit: 2 * 1024 * 1024,
    idempotency: 'required',
    reply: 'json',
    refuses: [],
    handle: ({ once: work }) => work(async (ledger) => ({ n: ledger.charge(1) })),
  });
  let files: RunningService;
  beforeAll(async () => {
    const uploading = fixtureService({ endpoints: [takesFile], idempotency: memoryStore() as IdempotencyStore });
    files = await startService(uploading, { port: 0, host: '127.0.0.1', logger: silentLogger });
  });
  afterAll(() => files.stop());

  const send = async (key: string, bytes: Buffer, { name = 'struk.jpg', type = 'image/jpeg' } = {}) => {
    const body = new FormData();
    body.append('receipt', new Blob([new Uint8Array(bytes)], { type }), name);
    const headers = { authorization: 'Bearer S1', 'idempotency-key': key };
    const answer = await fetch(`${files.url}/v1/once/file`, { method: 'POST', headers, body });
    return { n: ((await answer.json()) as { n?: number }).n, again: replayed(answer) };
  };
  /** One that fits into the buffer of small forms, and one that is streamed. */
  const SIZES: [string, number][] = [
    ['a small file', 20],
    ['a file of 600 KB', 600 * 1024],
  ];

  it.each(SIZES)('answers a repeat of %s with the first answer', async (size, bytes) => {
    const { n } = await send(`same ${size}`.replaceAll(' ', '-'), Buffer.alloc(bytes, 'a'));
    expect(n).toEqual(expect.any(Number));
    const again = await send(`same ${size}`.replaceAll(' ', '-'), Buffer.alloc(bytes, 'a'));
    expect(again).toEqual({ n, again: 'true' });
  });

  it.each(SIZES)('refuses other bytes under the key of %s with the same name and size', async (size, bytes) => {
    const key = `other-${size}`.replaceAll(' ', '-');
    await send(key, Buffer.alloc(bytes, 'a'));
    expect(await send(key, Buffer.alloc(bytes, 'b'))).toEqual({ n: undefined, again: null });
  });
});

describe('the work of a request (once)', () => {
  const call = { header: 'k', required: true, scope: 'S1 post /x', fingerprint: () => 'the same' };
  const answer = { status: 200, type: undefined, text: '', headers: {} };
  const storing = (settled: Settled<TextAnswer>, runs = true): IdempotencyStore => ({
    once: async (_, work) => {
      if (runs) await work(undefined);
      return settled;
    },
  });

  it('a refused key has its own code, for envelopes that show it', () =>
    expect(() => onceOf(storing({ state: 'done' }), { ...call, header: undefined }, () => answer)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'idempotency_key_required' }),
    ));

  it('resolves to its value, or to undefined when an earlier request did it', async () => {
    const done = onceOf(storing({ state: 'done' }), call, () => answer);
    expect(await done(() => Promise.resolve(5))).toStrictEqual(new Kept(answer, 5));
    const again = onceOf(storing({ state: 'replay', answer }, false), call, () => answer);
    const kept = { ...answer, headers: { 'Idempotent-Replay': 'true' } };
    expect(await again(() => Promise.resolve(5))).toStrictEqual(new Kept(kept, undefined));
  });

  it('cannot keep an answer of bytes', async () => {
    const bytes = { status: 200, type: 'image/png', bytes: Buffer.alloc(1), headers: {} };
    const asked = onceOf(storing({ state: 'done' }), call, () => bytes)(() => Promise.resolve(5));
    await expect(asked).rejects.toThrow('an answer of bytes cannot be kept under an Idempotency-Key');
  });

  it('fails when the store reports success without having done it', async () => {
    const asked = onceOf(storing({ state: 'done' }, false), call, () => answer)(() => Promise.resolve(5));
    await expect(asked).rejects.toThrow('the idempotency store says done, but the work never ran');
  });
});
