import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { runProgramCommand, useDatabase, until } from '@platform/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { openDatabase } from './database';
import { STREAMS, Streams } from './streams';

const NUMBERS = 'SELECT n FROM generate_series(1, $1::int) n';
const SLOW = 'SELECT n, pg_sleep(n / 2 * 30) FROM generate_series(1, 2) n';
const db = useDatabase({ schema: 'flow' });

type Numbered = { readonly n: number };
const taken = async (rows: AsyncIterable<Numbered>, most = Infinity): Promise<number[]> => {
  const seen: number[] = [];
  for await (const { n } of rows) if (seen.push(n) === most) break;
  return seen;
};

/** Sessions of streams by state; none is in a transaction once every stream has released its connection. */
const sessions = async (): Promise<string[]> =>
  (
    await db.query<{ state: string }>(
      `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'flow streams'`,
    )
  ).map(({ state }) => state);
const allBack = () => until(async () => (await sessions()).every((state) => state === 'idle'));

it.each([0, 1, 499, 500, 501, 1000])('a stream of %i rows holds each of them once, in order', async (count) => {
  expect(await taken(db.stream(NUMBERS, [count]))).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  await allBack();
});

it('a stream fetches a batch only when the one before is consumed', async () => {
  await db.query('CREATE SEQUENCE read');
  const rows = db.stream<Numbered>(`SELECT nextval('flow.read')::int AS n FROM generate_series(1, 1000)`, [], {
    batch: 10,
  });
  // A sequence advances outside of transactions, so it counts the rows that were produced
  const made = async () => (await db.query<{ n: number }>('SELECT last_value::int AS n FROM read'))[0]?.n;
  await rows.next().catch(() => undefined);
  await rows.return();
  expect(await made()).toBe(1);
});

it('a stream cannot write: its transaction is read-only', async () => {
  await db.query('CREATE TABLE kept (n int)');
  await db.query(`CREATE FUNCTION keep() RETURNS int LANGUAGE sql AS 'INSERT INTO flow.kept VALUES (1) RETURNING n'`);
  await expect(taken(db.stream('SELECT keep() AS n'))).rejects.toThrow('read-only transaction');
  await allBack();
});

it('a reader may take longer for a batch than a transaction may else be idle', async () => {
  const impatient = '-c idle_in_transaction_session_timeout=50';
  const pool = new Pool({ connectionString: db.url, application_name: 'impatient', options: impatient });
  const streams = new Streams(pool);
  const rows = streams.stream<Numbered>(NUMBERS, [5], { batch: 2 });
  const first = await rows.next();
  const idle = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'impatient'
    AND (state <> 'idle in transaction' OR state_change > clock_timestamp() - interval '200 ms')`;
  await until(async () => (await db.query(idle)).length === 0);
  expect([first.value, await taken(rows)]).toEqual([{ n: 1 }, [2, 3, 4, 5]]);
  await streams.stop();
});

describe('the connection goes back', () => {
  it('the connection of a stream serves the next one', async () => {
    const own = openDatabase({ url: db.url, schema: 'flow', logger: silentLogger });
    const pid = () => taken(own.stream('SELECT pg_backend_pid() AS n'));
    const first = await pid();
    expect(await pid()).toEqual(first);
    const isThere = () => db.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', first);
    expect(await isThere()).toHaveLength(1);
    await own.stop?.();
    await until(async () => (await isThere()).length === 0);
  });

  it('the connection of a stream is returned when the caller aborts while it waits for one', async () => {
    const pool = new Pool({ connectionString: db.url, application_name: 'flow streams', max: 1 });
    const streams = new Streams(pool);
    const first = streams.stream<Numbered>(NUMBERS, [9]);
    await first.next();
    const gone = new AbortController();
    const second = taken(streams.stream(NUMBERS, [9], { signal: gone.signal }));
    await until(() => pool.waitingCount === 1);
    gone.abort(new Error('gone'));
    await first.return();
    await expect(second).rejects.toThrow('gone');
    await streams.stop();
    await allBack();
  });

  it('the connection of a stream is returned when the consumer stops early', async () => {
    expect(await taken(db.stream(NUMBERS, [100_000]), 3)).toEqual([1, 2, 3]);
    await allBack();
  });

  it('the connection of a stream is returned when the consumer throws', async () => {
    const failing = async () => {
      for await (const { n } of db.stream<Numbered>(NUMBERS, [100_000])) throw new Error(`cannot take ${n}`);
    };
    await expect(failing()).rejects.toThrow('cannot take 1');
    await allBack();
  });

  it('the connection of a stream is returned when the statement is wrong, and the next stream is unaffected', async () => {
    await expect(taken(db.stream('SELECT nothing'))).rejects.toThrow('column "nothing" does not exist');
    await expect(taken(db.stream('SELECT 1 / (3 - n) AS n FROM generate_series(1, 9) n'))).rejects.toThrow('zero');
    expect(await taken(db.stream(NUMBERS, [2]))).toEqual([1, 2]);
    await allBack();
  });

  it('the connection of a stream is returned when the caller has aborted before the first row', async () => {
    const reason = new Error('gone');
    await expect(taken(db.stream(NUMBERS, [9], { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(await taken(db.stream(NUMBERS, [2]))).toEqual([1, 2]);
  });

  it('the connection of a stream is returned when the caller aborts while PostgreSQL is working', async () => {
    const gone = new AbortController();
    const rows = taken(db.stream(SLOW, [], { signal: gone.signal }));
    await until(async () => (await sessions()).includes('active'));
    gone.abort(new Error('gone'));
    await expect(rows).rejects.toThrow('gone');
    expect(await taken(db.stream(NUMBERS, [2]))).toEqual([1, 2]);
  });

  it('the connection of a stream is returned when the caller aborts between two rows', async () => {
    const gone = new AbortController();
    const rows = db.stream<Numbered>(NUMBERS, [100_000], { signal: gone.signal, batch: 1 });
    expect(await rows.next()).toEqual({ done: false, value: { n: 1 } });
    gone.abort(new Error('gone'));
    await expect(rows.next()).rejects.toThrow('gone');
    await allBack();
  });

  it('the connection of a stream is kept for a slow consumer, because each row has the whole time', async () => {
    const pool = new Pool({ connectionString: db.url, application_name: 'flow streams', max: 1 });
    const streams = new Streams(pool, { patienceMs: 300 });
    let seen = 0;
    for await (const { n } of streams.stream<Numbered>(NUMBERS, [12], { batch: 6 })) {
      await delay(60);
      seen = n;
    }
    expect(seen).toBe(12);
    await streams.stop();
    await allBack();
  });

  it('the connection of a stream is returned when nobody takes a row for too long', async () => {
    const pool = new Pool({ connectionString: db.url, application_name: 'flow streams', max: 1 });
    const streams = new Streams(pool, { patienceMs: 10 });
    const rows = streams.stream<Numbered>(NUMBERS, [100_000]);
    await rows.next();
    await until(() => pool.totalCount === 0);
    // The rest of the batch is in memory, later rows are not
    await expect(taken(rows)).rejects.toThrow('Nobody took a row of the stream for 0.01 s.');
    await streams.stop();
    await allBack();
  });
});

it(`${STREAMS} streams leave every connection of the service free, and one more waits for its turn`, async () => {
  const open = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const rows = db.stream<Numbered>(NUMBERS, [10_000]);
      await rows.next();
      return rows;
    }),
  );
  const another = taken(db.stream(NUMBERS, [2]));
  expect(await db.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await open[0]?.return();
  expect(await another).toEqual([1, 2]);
  await Promise.all(open.map((rows) => rows.return()));
  await allBack();
});

it('a stop aborts the streams in progress', async () => {
  const own = openDatabase({ url: db.url, schema: 'flow', logger: silentLogger, name: 'stopping' });
  const rows = own.stream<Numbered>(NUMBERS, [100_000]);
  await rows.next();
  const gone = new AbortController();
  const left = own.stream<Numbered>(NUMBERS, [100_000], { signal: gone.signal });
  await left.next();
  gone.abort(new Error('gone'));
  await own.stop?.();
  await own.stop?.();
  const stopping = { kind: 'unavailable', message: 'The service is stopping.', retryAfterSeconds: 1 };
  await expect(taken(rows)).rejects.toMatchObject(stopping);
  await expect(taken(left)).rejects.toThrow('gone');
});

it('a stream is Unavailable when the server cannot be reached', async () => {
  const absent = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', schema: 'flow', logger: silentLogger });
  await expect(taken(absent.stream(NUMBERS, [1]))).rejects.toThrow(Unavailable);
  await absent.stop?.();
});

it('a stream of 100,000 rows of 300 bytes grows the process by less than 72 MB, so one of 78 MB stays under 150', async () => {
  const env = { DATABASE_URL: db.url };
  const run = await runProgramCommand({ main: 'libs/data/src/streams.child.ts', env });
  const { rows, grown } = JSON.parse(run.output.trim().split('\n').at(-1) ?? '{}') as { rows: number; grown: number };
  expect({ ...run, rows }).toMatchObject({ code: 0, rows: 100_000 });
  expect(grown).toBeLessThan(72);
});

describe('the streams of one tenant', () => {
  const opened = async (limits: ConstructorParameters<typeof Streams>[1]) => {
    const pool = new Pool({ connectionString: db.url, application_name: 'flow streams', max: STREAMS });
    const streams = new Streams(pool, limits);
    const rows = (tenant: string) => streams.stream<Numbered>(NUMBERS, [2_000], { tenant });
    return { rows, stop: () => streams.stop() };
  };

  it('come one after the other, so that whoever reads slowly leaves the others theirs', async () => {
    const { rows, stop } = await opened({});
    const slow = rows('noisy');
    await slow.next();
    const waiting = Array.from({ length: STREAMS }, () => taken(rows('noisy')));
    expect((await taken(rows('quiet'))).length).toBe(2_000);
    await slow.return();
    expect((await Promise.all(waiting)).map(({ length }) => length)).toEqual(waiting.map(() => 2_000));
    await stop();
  });

  it('are refused when the one before does not end in time', async () => {
    const { rows, stop } = await opened({ turnMs: 10 });
    const slow = rows('noisy');
    await slow.next();
    await expect(taken(rows('noisy'))).rejects.toThrow(Unavailable);
    await slow.return();
    expect((await taken(rows('noisy'))).length).toBe(2_000);
    await stop();
  });

  it('end when they take too long, however steadily they are read', async () => {
    const { rows, stop } = await opened({ longestMs: 50 });
    const slow = rows('noisy');
    const read = async () => {
      for await (const { n } of slow) await delay(1, n);
    };
    await expect(read()).rejects.toThrow('A stream has 0.05 s.');
    await stop();
    await allBack();
  });
});
