import { silentLogger } from '@platform/runtime';
import type { IdempotencyState } from './idempotency';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

/** The store's contract in memory; libs/data tests the one on PostgreSQL. */
const memoryStore = () => {
  const kept = new Map<string, { hash: string; answer?: { status: number; body: unknown } }>();
  return {
    begin: async (scope: string, key: string, hash: string): Promise<IdempotencyState> => {
      const known = kept.get(scope + key);
      if (!known) {
        kept.set(scope + key, { hash });
        return { state: 'new' };
      }
      if (known.hash !== hash) return { state: 'mismatch' };
      return known.answer ? { state: 'replay', ...known.answer } : { state: 'running' };
    },
    finish: async (scope: string, key: string, status: number, body: unknown) =>
      void (kept.get(scope + key)!.answer = { status, body }),
    forget: async (scope: string, key: string) => void kept.delete(scope + key),
  };
};

let service: RunningService;
beforeAll(async () => {
  service = await startService(fixtureService({ idempotency: memoryStore() }), {
    port: 0,
    host: '127.0.0.1',
    logger: silentLogger,
  });
});
afterAll(() => service.stop());

const once = async (text: string, key?: string, store = 'S1') => {
  const answer = await fetch(`${service.url}/v1/once`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${store}`,
      'content-type': 'application/json',
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify({ text }),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { n?: number },
    replayed: answer.headers.get('idempotent-replay'),
  };
};

describe('Idempotency-Key', () => {
  it('runs every request without a key', async () =>
    expect((await once('a')).body.n).not.toBe((await once('a')).body.n));

  it('answers a repeat with the first answer, per caller', async () => {
    const first = await once('a', 'k1');
    expect(await once('a', 'k1')).toEqual({ ...first, replayed: 'true' });
    expect((await once('a', 'k1', 'S2')).body.n).not.toBe(first.body.n);
  });

  it('refuses another request under the same key', async () => {
    await once('a', 'k2');
    expect((await once('b', 'k2')).body).toEqual({
      result: false,
      message: 'Idempotency-Key was used with a different request',
      code: 'idempotency_mismatch',
    });
  });

  it('frees the key when the request was refused', async () => {
    expect((await once('no', 'k3')).body).toEqual({ result: false, message: 'no' });
    expect((await once('a', 'k3')).body.n).toEqual(expect.any(Number));
  });

  it('refuses a key that is no printable text', async () => expect((await once('a', 'with space')).status).toBe(422));
});
