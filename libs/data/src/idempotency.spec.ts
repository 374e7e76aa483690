import { expectNoSeqScan, explain, testDatabase, truncateAll, type TestDatabase } from '@platform/testing';
import { CREATE_IDEMPOTENCY_KEYS, pgIdempotency, type Idempotency } from './idempotency';
import { ForwardMigration } from './migrations';

class CreateIdempotencyKeys1760000000000 extends ForwardMigration {
  readonly steps = [CREATE_IDEMPOTENCY_KEYS];
}

const SCOPE = 'store-1 POST /orders';
let db: TestDatabase;
let keys: Idempotency;

beforeAll(async () => {
  db = await testDatabase({ schema: 'orders', migrations: [CreateIdempotencyKeys1760000000000] });
  keys = pgIdempotency(db);
});
beforeEach(() => truncateAll(db));
afterAll(() => db.stop?.());

const age = (interval: string) => db.query(`UPDATE idempotency_keys SET claimed_at = now() - $1::interval`, [interval]);

describe('idempotency', () => {
  it('lets the first request work, tells repetitions so, and replays its answer as it was', async () => {
    expect(await keys.begin(SCOPE, 'k', 'hash')).toEqual({ state: 'new' });
    expect(await keys.begin(SCOPE, 'k', 'hash')).toEqual({ state: 'running' });
    await keys.finish(SCOPE, 'k', 201, { z: 1, a: ['ü'] });
    const replay = await keys.begin(SCOPE, 'k', 'hash');
    expect(replay).toEqual({ state: 'replay', status: 201, body: { z: 1, a: ['ü'] } });
    expect(JSON.stringify(replay)).toContain('{"z":1,"a":["ü"]}');
    await keys.finish(SCOPE, 'k', 500, 'too late');
    await keys.forget(SCOPE, 'k');
    expect(await keys.begin(SCOPE, 'k', 'hash')).toEqual(replay);
  });

  it.each([['text'], [null], [undefined]])('replays the body %p', async (body) => {
    await keys.begin(SCOPE, 'k', 'hash');
    await keys.finish(SCOPE, 'k', 200, body);
    expect(await keys.begin(SCOPE, 'k', 'hash')).toEqual({ state: 'replay', status: 200, body: body ?? null });
  });

  it('refuses another request under a used key, and knows keys per scope', async () => {
    await keys.begin(SCOPE, 'k', 'hash');
    expect(await keys.begin(SCOPE, 'k', 'other')).toEqual({ state: 'mismatch' });
    expect(await keys.begin('store-2 POST /orders', 'k', 'other')).toEqual({ state: 'new' });
  });

  it('gives exactly one of many concurrent requests the work', async () => {
    const states = await Promise.all(Array.from({ length: 40 }, () => keys.begin(SCOPE, 'k', 'hash')));
    expect(states.filter(({ state }) => state === 'new')).toHaveLength(1);
    expect(states.filter(({ state }) => state === 'running')).toHaveLength(39);
  });

  it('frees the key of a refused request', async () => {
    await keys.begin(SCOPE, 'k', 'hash');
    await keys.forget(SCOPE, 'k');
    expect(await keys.begin(SCOPE, 'k', 'corrected')).toEqual({ state: 'new' });
  });

  it('gives a claim to the next request after 60 seconds, not before, and never to another one', async () => {
    await keys.begin(SCOPE, 'k', 'hash');
    await age('59 seconds');
    expect(await keys.begin(SCOPE, 'k', 'hash')).toEqual({ state: 'running' });
    await age('61 seconds');
    expect(await keys.begin(SCOPE, 'k', 'other')).toEqual({ state: 'mismatch' });
    const states = await Promise.all([keys.begin(SCOPE, 'k', 'hash'), keys.begin(SCOPE, 'k', 'hash')]);
    expect(states.map(({ state }) => state).sort()).toEqual(['new', 'running']);
  });

  it('commits the answer together with the work', async () => {
    await keys.begin(SCOPE, 'k', 'hash');
    const work = db.tx(async (tx) => {
      await pgIdempotency(tx).finish(SCOPE, 'k', 200, 'ok');
      throw new Error('failed');
    });
    await expect(work).rejects.toThrow('failed');
    expect(await keys.begin(SCOPE, 'k', 'hash')).toEqual({ state: 'running' });
  });

  it('forgets after 24 hours, swept or not', async () => {
    for (const key of ['a', 'b', 'c']) await keys.begin(SCOPE, key, 'hash');
    await keys.finish(SCOPE, 'a', 200, 'ok');
    await age('25 hours');
    expect(await keys.begin(SCOPE, 'a', 'other')).toEqual({ state: 'new' });
    expect(await keys.sweep()).toBe(2);
    expect(await db.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'a' }]);
  });

  it('finds what is old through an index', async () => {
    expectNoSeqScan(
      await explain(
        db,
        `SELECT 1 FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours' ORDER BY claimed_at LIMIT 10`,
      ),
    );
  });
});
