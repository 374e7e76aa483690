import { expectNoSeqScan, explain, useDatabase, truncateAll } from '@platform/testing';
import { CREATE_IDEMPOTENCY_KEYS, pgIdempotency, type Idempotency, type KeptAnswer } from './idempotency';
import { openDatabase } from './database';
import { silentLogger } from '@platform/runtime';
import { ForwardMigration } from './migrations';

class CreateIdempotencyKeys1760000000000 extends ForwardMigration {
  readonly steps = [
    CREATE_IDEMPOTENCY_KEYS,
    'CREATE TABLE charge (id integer GENERATED ALWAYS AS IDENTITY, amount integer)',
  ];
}

const CLAIM = { scope: 'store-1 POST /orders', key: 'k', requestHash: 'hash' };
const db = useDatabase({ schema: 'orders', migrations: [CreateIdempotencyKeys1760000000000] });
let keys: Idempotency;

beforeAll(async () => {
  keys = pgIdempotency(db);
});
beforeEach(() => truncateAll(db));

const answer = (text: string, more: Partial<KeptAnswer> = {}): KeptAnswer => ({
  status: 200,
  type: 'application/json',
  text,
  headers: {},
  ...more,
});

/** The default work: one charge. */
const charge = (text = 'done') =>
  jest.fn(async (tx: { query(sql: string): Promise<unknown> }) => {
    await tx.query('INSERT INTO charge (amount) VALUES (1)');
    return answer(text);
  });
const charges = async () => (await db.query<{ n: number }>('SELECT count(*)::int AS n FROM charge'))[0]?.n;
const age = (interval: string) => db.query(`UPDATE idempotency_keys SET claimed_at = now() - $1::interval`, [interval]);

describe('a request with an idempotency claim (once)', () => {
  it('is processed the first time, and replayed byte for byte', async () => {
    const first = answer('{"z":1,"a":["ü\\u0000"]}', { status: 201, headers: { 'Set-Cookie': ['a=1', 'b=2'] } });
    expect(await keys.once(CLAIM, async () => first)).toEqual({ state: 'done' });
    const again = charge();
    expect(await keys.once(CLAIM, again)).toEqual({ state: 'replay', answer: first });
    expect(again).not.toHaveBeenCalled();
  });

  it('is replayed without a body when the answer had none', async () => {
    const redirect = answer('', { status: 303, type: undefined, headers: { Location: '/home' } });
    await keys.once(CLAIM, async () => redirect);
    expect(await keys.once(CLAIM, charge())).toEqual({ state: 'replay', answer: redirect });
  });

  it('is processed every time and stores nothing when the claim is missing', async () => {
    expect(await keys.once(undefined, charge())).toEqual({ state: 'done' });
    expect(await keys.once(undefined, charge())).toEqual({ state: 'done' });
    expect([await charges(), await db.query('SELECT FROM idempotency_keys')]).toEqual([2, []]);
  });

  it('is refused under the key of another request of its scope, and not of another scope', async () => {
    await keys.once(CLAIM, charge());
    expect(await keys.once({ ...CLAIM, requestHash: 'other' }, charge())).toEqual({ state: 'mismatch' });
    expect(await keys.once({ ...CLAIM, scope: 'store-2 POST /orders' }, charge())).toEqual({ state: 'done' });
    expect(await charges()).toBe(2);
  });

  it('is processed exactly once of forty concurrent times', async () => {
    const settled = await Promise.all(Array.from({ length: 40 }, () => keys.once(CLAIM, charge())));
    const states = settled.map(({ state }) => state);
    expect(states.filter((state) => state === 'done')).toHaveLength(1);
    expect(states.filter((state) => state === 'running' || state === 'replay')).toHaveLength(39);
    expect(await charges()).toBe(1);
  });

  it('is refused as still running, without waiting, when a repeat comes on another connection', async () => {
    const other = openDatabase({ url: db.url, schema: 'orders', logger: silentLogger });
    const states: string[] = [];
    await keys.once(CLAIM, async (tx) => {
      states.push((await pgIdempotency(other).once(CLAIM, charge())).state);
      return charge()(tx);
    });
    states.push((await pgIdempotency(other).once(CLAIM, charge())).state);
    await other.stop?.();
    expect([states, await charges()]).toEqual([['running', 'replay'], 1]);
  });

  it('is rolled back when it is refused, and leaves the key free for a corrected one', async () => {
    const refused = keys.once(CLAIM, async (tx) => {
      await charge()(tx);
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await charges()).toBe(0);
    expect(await keys.once({ ...CLAIM, requestHash: 'corrected' }, charge())).toEqual({ state: 'done' });
  });

  it('is rolled back when the answer cannot be stored', async () => {
    await db.query('ALTER TABLE idempotency_keys ADD CONSTRAINT refuse CHECK (key <> $$k$$)');
    await expect(keys.once(CLAIM, charge())).rejects.toThrow(/refuse/);
    await db.query('ALTER TABLE idempotency_keys DROP CONSTRAINT refuse');
    expect([await charges(), await keys.once(CLAIM, charge()), await charges()]).toEqual([0, { state: 'done' }, 1]);
  });

  it('is rolled back and replayed when a rival committed between the lookup and the lock', async () => {
    // The rival commits during our transaction, after its lookup
    const overtaken = keys.once(CLAIM, async (tx) => {
      await db.query(
        `INSERT INTO idempotency_keys (scope, key, request_hash, status, body)
         VALUES ('store-1 POST /orders', 'k', 'hash', 200, '{"type":"t","text":"rival","headers":{}}')
         ON CONFLICT DO NOTHING`,
      );
      return charge()(tx);
    });
    expect(await overtaken).toEqual({ state: 'replay', answer: answer('rival', { type: 't' }) });
    expect(await charges()).toBe(0);
  });

  it('is processed again after 24 hours, swept or not', async () => {
    for (const key of ['a', 'b', 'c']) await keys.once({ ...CLAIM, key }, charge());
    await age('23 hours');
    expect(await keys.once({ ...CLAIM, key: 'a' }, charge())).toMatchObject({ state: 'replay' });
    await age('25 hours');
    expect(await keys.once({ ...CLAIM, key: 'a', requestHash: 'other' }, charge())).toEqual({ state: 'done' });
    expect(await keys.sweep()).toBe(2);
    expect(await db.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'a' }]);
  });

  it('asks others before its transaction for one of many at once, without a connection, and the others see that it runs', async () => {
    const single = openDatabase({ url: db.url, schema: 'orders', poolSize: 1, logger: silentLogger });
    // Would wait for ever if the claim held the only connection
    const asking = jest.fn(async () => void (await single.query('SELECT pg_sleep(0.1)')));
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => pgIdempotency(single).once(CLAIM, charge(), asking)),
    );
    const later = await pgIdempotency(single).once(CLAIM, charge(), asking);
    await single.stop?.();
    expect([first?.state, others.map(({ state }) => state), later.state]).toEqual([
      ...['done', ['running', 'running', 'running', 'running'], 'replay'],
    ]);
    expect([asking.mock.calls.length, await charges()]).toEqual([1, 1]);
  });

  it.each([
    ['what it asks others fails', () => Promise.reject(new Error('refused')), charge()],
    ['its work fails after that', () => Promise.resolve(), () => Promise.reject(new Error('refused'))],
  ])('leaves its key free at once when %s', async (_, before, work) => {
    await expect(keys.once(CLAIM, work, before)).rejects.toThrow('refused');
    expect(await keys.once({ ...CLAIM, requestHash: 'corrected' }, charge(), async () => undefined)).toEqual({
      state: 'done',
    });
  });

  it('is taken over from a process that died while it asked others', async () => {
    await db.query(`INSERT INTO idempotency_keys (scope, key, request_hash) VALUES ($1, $2, 'hash')`, [
      ...[CLAIM.scope, CLAIM.key],
    ]);
    const states = [(await keys.once(CLAIM, charge(), async () => undefined)).state];
    await age('2 minutes');
    states.push((await keys.once(CLAIM, charge(), async () => undefined)).state);
    expect(states).toEqual(['running', 'done']);
  });

  it('is looked up and stored by statements that are prepared once', async () => {
    const single = openDatabase({ url: db.url, schema: 'orders', poolSize: 1, prepared: true, logger: silentLogger });
    for (const key of ['a', 'b']) await pgIdempotency(single).once({ ...CLAIM, key }, charge());
    const names = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%idempotency_keys%' ORDER BY name`;
    expect(await single.query(names)).toEqual([{ name: 'idempotency-begin' }, { name: 'idempotency-keep' }]);
    await single.stop?.();
  });

  it('is removed by the sweep once it has expired, however many there are', async () => {
    await db.query(
      `INSERT INTO idempotency_keys (scope, key, request_hash, claimed_at) SELECT 's', n::text, 'h', now() - interval '25 hours' FROM generate_series(1, 5001) n`,
    );
    expect([await keys.sweep(), await keys.sweep()]).toEqual([5001, 0]);
  });

  it('is swept by an index', async () => {
    expectNoSeqScan(
      await explain(
        db,
        `SELECT 1 FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours' ORDER BY claimed_at LIMIT 10`,
      ),
    );
  });
});
