import { fixedClock, silentLogger, systemClock, type Clock, type Logger } from '@platform/runtime';
import { truncateAll, until, useDatabase } from '@platform/testing';
import { Housekeeping, type Expiry } from './housekeeping';
import { ForwardMigration } from './migrations';

class CreateExpiring1760000000000 extends ForwardMigration {
  readonly steps = ['one', 'other'].flatMap((table) => [
    `CREATE TABLE ${table} (name text PRIMARY KEY, ends timestamptz)`,
    `CREATE INDEX ON ${table} (ends)`,
  ]);
}

const NOW = '2026-03-01T08:00:00.000Z';
const HOUR = 3_600_000;
const db = useDatabase({ schema: 'expiring', migrations: [CreateExpiring1760000000000] });
beforeEach(() => truncateAll(db));

const keeping = (expired: readonly Expiry[], logger: Logger = silentLogger, clock: Clock = fixedClock(NOW)) =>
  new Housekeeping(db, { clock, logger, expired });
/** Ten minutes pass. */
const tick = async (kept: Housekeeping): Promise<number> => {
  jest.useFakeTimers({ doNotFake: ['Date', 'setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  await kept.start();
  jest.advanceTimersByTime(10 * 60_000);
  await kept.stop();
  const timers = jest.getTimerCount();
  jest.useRealTimers();
  return timers;
};
const add = (table: string, name: string, hoursAgo: number) =>
  db.query(`INSERT INTO ${table} VALUES ($1, $2)`, [name, new Date(Date.parse(NOW) - hoursAgo * HOUR)]);
const left = async (table: string) =>
  (await db.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY name`)).map(({ name }) => name);

describe('housekeeping', () => {
  it('deletes rows once they have not been needed for as long as said, and no others', async () => {
    for (const hours of [0, 1, 3]) await add('one', `${hours} hours`, hours);
    await add('other', 'three hours', 3);
    await keeping([{ table: 'one', column: 'ends', keepMs: 2 * HOUR }]).sweep();
    expect([await left('one'), await left('other')]).toEqual([['0 hours', '1 hours'], ['three hours']]);
  });

  it('deletes by a column that is no time', async () => {
    for (const name of ['2026-02-28', '2026-03-01']) await add('one', name, 0);
    await keeping([{ table: 'one', column: 'name', keepMs: 0, at: (time) => time.toISOString().slice(0, 10) }]).sweep();
    expect(await left('one')).toEqual(['2026-03-01']);
  });

  it('empties one column alone where that is what nobody needs any more', async () => {
    for (const hours of [1, 3]) await add('one', `${hours} hours`, hours);
    await keeping([{ table: 'one', column: 'ends', keepMs: 2 * HOUR, clears: 'ends' }]).sweep();
    expect(await db.query('SELECT name FROM one WHERE ends IS NULL')).toEqual([{ name: '3 hours' }]);
    expect(await left('one')).toEqual(['1 hours', '3 hours']);
  });

  it('deletes many rows in short batches', async () => {
    await db.query(`INSERT INTO one SELECT n::text, '2020-01-01' FROM generate_series(1, 2500) n`);
    const query = jest.spyOn(db, 'query');
    await keeping([{ table: 'one', column: 'ends', keepMs: 0 }]).sweep();
    const steps = query.mock.calls.length;
    query.mockRestore();
    expect([steps, await left('one')]).toEqual([3, []]);
  });

  it('looks where rows are that may be due, also while the planner believes that most of them are', async () => {
    await db.query(`INSERT INTO one SELECT n::text, '2020-01-01' FROM generate_series(1, 5000) n`);
    await db.query('ANALYZE one');
    await db.query(`UPDATE one SET ends = '2030-01-01'`);
    const query = jest.spyOn(db, 'query');
    await keeping([{ table: 'one', column: 'ends', keepMs: 0 }]).sweep();
    const [[text, values] = ['']] = query.mock.calls;
    query.mockRestore();
    expect(JSON.stringify(await db.query(`EXPLAIN ${text}`, values))).not.toContain('Seq Scan');
  });

  it('goes on with the next table when one cannot be swept, and tells', async () => {
    await add('other', 'old', 1);
    const expired = ['missing', 'other'].map((table) => ({ table, column: 'ends', keepMs: 0 }));
    await expect(keeping(expired).sweep()).rejects.toThrow('relation "missing" does not exist');
    expect(await left('other')).toEqual([]);
  });

  it('sweeps every ten minutes until it is stopped, and logs what fails', async () => {
    await add('one', 'old', 1);
    const warn = jest.fn();
    const kept = keeping(
      ['one', 'missing'].map((table) => ({ table, column: 'ends', keepMs: 0 })),
      { ...silentLogger, warn },
      systemClock,
    );
    const timers = await tick(kept);
    await until(() => warn.mock.calls.length);
    expect([await left('one'), timers, warn.mock.calls]).toEqual([
      [],
      0,
      [['expired rows could not be deleted', { cause: expect.any(Error) }]],
    ]);
  });

  it('deletes nothing by a clock that is a day ahead of the database, and tells', async () => {
    await add('one', 'new', 0);
    await db.query('UPDATE one SET ends = now()');
    const error = jest.fn();
    const clock = { now: () => new Date(Date.now() + 24 * HOUR) };
    const kept = keeping([{ table: 'one', column: 'ends', keepMs: HOUR }], { ...silentLogger, error }, clock);
    await tick(kept);
    await until(async () => error.mock.calls.length > 0 || (await left('one')).length === 0);
    expect([await left('one'), error.mock.calls.length]).toEqual([['new'], 1]);
  });
});
