import { silentLogger } from '@platform/runtime';
import type { IdempotencyStore } from './idempotency';
import { startService, type RunningService } from './server';
import { fixtureService, memoryStore } from './service.fixture';

const store = memoryStore();
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

describe('Idempotency-Key', () => {
  it('does the work of every request without a key', async () =>
    expect((await once('a')).body.n).not.toBe((await once('a')).body.n));

  it('answers a repeat with the first answer, for each caller apart, and says so', async () => {
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

  it('tells a repeat of a running request to come back, and does its work once', async () => {
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

  it('takes the work of a refused request back and frees its key', async () => {
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

  it('refuses a key that is no printable text', async () => expect((await once('a', 'with space')).status).toBe(422));
});
