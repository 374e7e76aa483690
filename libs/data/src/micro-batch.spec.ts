import { Unavailable } from '@platform/errors';
import { useDatabase } from '@platform/testing';
import { microBatch } from './micro-batch';
import { ForwardMigration } from './migrations';

/** A write that is finished by the test. */
const held = () => {
  const batches: { rows: readonly number[]; finish: () => void; fail: (reason: Error) => void }[] = [];
  const write = (rows: readonly number[]) =>
    new Promise<number[]>((resolve, fail) =>
      batches.push({ rows, fail, finish: () => resolve(rows.map((row) => row * 10)) }),
    );
  return { batches, write, rows: () => batches.map((batch) => batch.rows) };
};
const turn = () => new Promise(setImmediate);

describe('a micro-batch', () => {
  it('writes at once when idle, and in one batch what arrives during a write', async () => {
    const { batches, write, rows } = held();
    const batch = microBatch({ writers: 1, maxBatch: 3, maxQueue: 10, write });
    const first = batch.add(1);
    await turn();
    const rest = [2, 3, 4, 5].map((row) => batch.add(row));
    await turn();
    expect([rows(), batch.waiting]).toEqual([[[1]], 4]);
    batches[0]?.finish();
    expect(await first).toBe(10);
    await turn();
    expect(rows()).toEqual([[1], [2, 3, 4]]);
    batches[1]?.finish();
    await turn();
    batches[2]?.finish();
    expect(await Promise.all(rest)).toEqual([20, 30, 40, 50]);
    expect([rows(), batch.waiting]).toEqual([[[1], [2, 3, 4], [5]], 0]);
  });

  it('writes rows that are to be apart one after another, in their order, and others beside the first of them', async () => {
    const { batches, write, rows } = held();
    const apart = (row: number) => (row < 100 ? `${row % 10}` : undefined);
    const batch = microBatch({ writers: 1, maxBatch: 4, maxQueue: 10, apart, write });
    const all = [11, 21, 2, 31, 100, 100, 12].map((row) => batch.add(row));
    for (const index of [0, 1, 2]) {
      await turn();
      batches[index]?.finish();
    }
    expect(await Promise.all(all)).toEqual([110, 210, 20, 310, 1000, 1000, 120]);
    expect(rows()).toEqual([[11, 2, 100, 100], [21, 12], [31]]);
  });

  it('keeps rows of one queue in one write at a time, in their order, and leaves the other writer to other rows', async () => {
    const { batches, write, rows } = held();
    const batch = microBatch({
      writers: 2,
      maxBatch: 10,
      maxQueue: 10,
      queueOf: (row: number) => `${row % 10}`,
      write,
    });
    const all = [batch.add(1)];
    await turn();
    for (const row of [11, 21, 2]) all.push(batch.add(row));
    await turn();
    expect([rows(), batch.waiting]).toEqual([[[1], [2]], 2]);
    batches[1]?.finish();
    await turn();
    expect([rows(), batch.waiting]).toEqual([[[1], [2]], 2]);
    const over = batch.stop();
    batches[0]?.finish();
    await turn();
    batches[2]?.finish();
    expect(await Promise.all(all)).toEqual([10, 110, 210, 20]);
    expect(rows()).toEqual([[1], [2], [11, 21]]);
    await over;
  });

  it('keeps several writers busy, each caller waiting for its own', async () => {
    const { batches, write, rows } = held();
    const batch = microBatch({ writers: 2, maxBatch: 10, maxQueue: 10, write });
    const [first, second] = [batch.add(1), (await turn(), batch.add(2))];
    await turn();
    const third = batch.add(3);
    await turn();
    expect(rows()).toEqual([[1], [2]]);
    batches[1]?.finish();
    expect(await second).toBe(20);
    await turn();
    expect(rows()).toEqual([[1], [2], [3]]);
    batches[2]?.finish();
    batches[0]?.finish();
    expect([await third, await first]).toEqual([30, 10]);
  });

  it('refuses rows with Unavailable when the queue is full', async () => {
    const { batches, write } = held();
    const batch = microBatch({ writers: 1, maxBatch: 1, maxQueue: 2, write });
    const taken = [batch.add(1), (await turn(), batch.add(2)), batch.add(3)];
    await expect(batch.add(4)).rejects.toMatchObject({
      kind: 'unavailable',
      message: '2 writes are waiting already. Try again shortly.',
      retryAfterSeconds: 1,
    });
    for (const index of [0, 1, 2]) {
      batches[index]?.finish();
      await turn();
    }
    expect(await Promise.all(taken)).toEqual([10, 20, 30]);
  });

  it('rewrites a failed batch row by row, so that the bad row fails alone', async () => {
    const seen: (readonly number[])[] = [];
    const write = async (rows: readonly number[]) => {
      seen.push(rows);
      if (rows.includes(2)) throw new Error(`bad among ${rows.join()}`);
      return rows;
    };
    const batch = microBatch({ writers: 1, maxBatch: 10, maxQueue: 10, write });
    const outcomes = await Promise.allSettled([1, 2, 3].map((row) => batch.add(row)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('bad among 2') },
      { status: 'fulfilled', value: 3 },
    ]);
    expect(seen).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('rewrites rows of a failed batch each in its queue: one that hangs keeps only those of its own waiting', async () => {
    const { batches, write, rows } = held();
    const queueOf = (row: number) => `${row % 10}`;
    const batch = microBatch({ writers: 2, maxBatch: 10, maxQueue: 10, queueOf, write });
    const all = [1, 11, 2, 3].map((row) => batch.add(row));
    await turn();
    batches[0]?.fail(new Error('too slow'));
    await turn();
    const later = batch.add(21);
    for (const index of [2, 3]) {
      batches[index]?.finish();
      await turn();
    }
    expect([rows(), batch.waiting]).toEqual([[[1, 11, 2, 3], [1], [2], [3]], 2]);
    expect(await Promise.all(all.slice(2))).toEqual([20, 30]);
    for (const index of [1, 4, 5]) {
      batches[index]?.finish();
      await turn();
    }
    expect(rows().slice(4)).toEqual([[11], [21]]);
    expect(await Promise.all([...all, later])).toEqual([10, 110, 20, 30, 210]);
  });

  it('rewrites rows of a failed batch that are of no queue one after another, however many writers there are', async () => {
    const { batches, write, rows } = held();
    const batch = microBatch({ writers: 2, maxBatch: 3, maxQueue: 10, write });
    const all = [1, 2, 3].map((row) => batch.add(row));
    await turn();
    batches[0]?.fail(new Error('bad'));
    await turn();
    all.push(batch.add(4), batch.add(5));
    await turn();
    expect(rows()).toEqual([[1, 2, 3], [1], [4, 5]]);
    const over = batch.stop();
    for (const index of [1, 3, 4, 2]) {
      batches[index]?.finish();
      await turn();
    }
    await over;
    expect(rows().slice(3)).toEqual([[2], [3]]);
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50]);
  });

  it('has room for other queues, however many rows of one wait', async () => {
    const { batches, write } = held();
    const queueOf = (row: number) => `${row % 10}`;
    const batch = microBatch({ writers: 1, maxBatch: 1, maxQueue: 4, queueOf, write });
    const taken = [batch.add(1)];
    await turn();
    taken.push(batch.add(11), batch.add(21));
    await expect(batch.add(31)).rejects.toMatchObject({ kind: 'unavailable' });
    taken.push(batch.add(2), batch.add(3));
    await expect(batch.add(4)).rejects.toMatchObject({ kind: 'unavailable' });
    for (let index = 0; index < taken.length; index++) {
      batches[index]?.finish();
      await turn();
    }
    expect(await Promise.all(taken)).toEqual([10, 110, 210, 20, 30]);
  });

  it('does not rewrite a batch while the database is down', async () => {
    const write = jest.fn(() => Promise.reject(new Unavailable('away')));
    const batch = microBatch({ writers: 1, maxBatch: 10, maxQueue: 10, write });
    const outcomes = await Promise.allSettled([1, 2, 3].map((row) => batch.add(row)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('reports a write that returns too few results', async () => {
    const batch = microBatch<number, number>({
      writers: 1,
      maxBatch: 10,
      maxQueue: 10,
      write: () => Promise.resolve([]),
    });
    await expect(batch.add(1)).rejects.toThrow('The write of a micro-batch answered 0 results for 1 rows.');
  });

  it('settles accepted rows and accepts no more once it is stopped', async () => {
    const { batches, write } = held();
    const batch = microBatch({ writers: 1, maxBatch: 1, maxQueue: 10, write });
    const taken = [batch.add(1), batch.add(2)];
    let stopped = false;
    const stop = batch.stop().then(() => (stopped = true));
    await expect(batch.add(3)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'This service is stopping. Try again shortly.',
      retryAfterSeconds: 1,
    });
    batches[0]?.finish();
    await turn();
    expect(stopped).toBe(false);
    batches[1]?.finish();
    await stop;
    expect(await Promise.all(taken)).toEqual([10, 20]);
    await microBatch({ writers: 1, maxBatch: 1, maxQueue: 1, write }).stop();
  });
});

class CreateCounters1760000000000 extends ForwardMigration {
  readonly steps = [`CREATE TABLE counters (name text PRIMARY KEY, total int NOT NULL CHECK (total < 1000))`];
}

/** Duplicates inside the batch are added up first, and rows go in order of the key: two writers never deadlock. */
const ADD_UP = `
  WITH input AS (SELECT name, amount, ordinality FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS t(name, amount, ordinality)),
  added AS (
    INSERT INTO counters AS c (name, total) SELECT name, sum(amount) FROM input GROUP BY name ORDER BY name
    ON CONFLICT (name) DO UPDATE SET total = c.total + excluded.total RETURNING name, total)
  SELECT added.total FROM input JOIN added USING (name) ORDER BY ordinality`;

describe('a micro-batch on a table', () => {
  const db = useDatabase({ schema: 'counters', migrations: [CreateCounters1760000000000] });

  it('loses and doubles nothing with 64 concurrent callers, and saves statements', async () => {
    let statements = 0;
    const batch = microBatch<{ name: string; amount: number }, number>({
      writers: 3,
      maxBatch: 32,
      maxQueue: 1000,
      write: async (rows) => {
        statements += 1;
        const found = await db.prepared<{ total: number }>('add-up', ADD_UP, [
          rows.map(({ name }) => name),
          rows.map(({ amount }) => amount),
        ]);
        return found.map(({ total }) => total);
      },
    });
    const outcomes: PromiseSettledResult<number>[] = [];
    const caller = async (index: number) => {
      for (let turn = 0; turn < 20; turn++) {
        const amount = index === 0 && turn % 10 === 5 ? 1000 : 1;
        outcomes.push(...(await Promise.allSettled([batch.add({ name: `counter-${(index + turn) % 7}`, amount })])));
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, index) => caller(index)));
    const failed = outcomes.filter(({ status }) => status === 'rejected');
    expect(failed).toEqual(Array(2).fill({ status: 'rejected', reason: expect.objectContaining({ code: '23514' }) }));
    expect(await db.query('SELECT sum(total)::int AS total FROM counters')).toEqual([{ total: 64 * 20 - 2 }]);
    expect(statements).toBeLessThan((64 * 20) / 2);
  });
});
