import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { until, useDatabase, useOpened } from '@platform/testing';
import { aloneWithoutRedis, OnlyProcess } from './only.process';

const database = useDatabase({ schema: 'sole_process' });
const opened = useOpened();
const REFUSAL = 'Another one works on this database.';

const processOf = (of: string, said: unknown[] = []) =>
  opened(
    new OnlyProcess({
      ...{ database, of, refusal: REFUSAL },
      logger: {
        ...silentLogger,
        error: (message) => void said.push(message),
        warn: (message) => void said.push(message),
      },
    }),
  );

/** Locks of this database: other suites have theirs on the same server. */
const LOCKS = `pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
/** Ends the sessions of all of them, as a restart of the server does, and waits until they are gone. */
const cutOff = () =>
  database.query(`SELECT pg_terminate_backend(pid, 10000) FROM ${LOCKS} AND pid <> pg_backend_pid()`);

describe('the only process of its kind', () => {
  it('is refused while there is another one, and starts after that has ended', async () => {
    const [first, second] = [processOf('one'), processOf('one')];
    expect([first.isAlone(), first.sessions]).toEqual([false, { direct: 1, pooled: 0 }]);
    await first.start();
    expect(first.isAlone()).toBe(true);
    await expect(second.start()).rejects.toThrow(REFUSAL);
    expect(second.isAlone()).toBe(false);
    await first.stop();
    await second.start();
    expect([first.isAlone(), second.isAlone()]).toEqual([false, true]);
  });

  it('is green while it is the only one, and red before and after', async () => {
    const only = processOf('green');
    await expect(only.check()).rejects.toEqual(new Unavailable(REFUSAL));
    await only.start();
    await expect(only.check()).resolves.toBeUndefined();
    await only.stop();
    await expect(only.check()).rejects.toEqual(new Unavailable(REFUSAL));
  });

  it('leaves processes of another kind alone', async () => {
    const [one, other] = [processOf('a'), processOf('b')];
    await one.start();
    await other.start();
    expect([one.isAlone(), other.isAlone()]).toEqual([true, true]);
  });

  it('holds its place however often it looks, and gives it up at once', async () => {
    const [first, second] = [processOf('often'), processOf('often')];
    await first.start();
    for (let n = 0; n < 5; n += 1) await first.look();
    await first.stop();
    await second.start();
    expect(second.isAlone()).toBe(true);
  });

  it('takes its place again when the connection was lost', async () => {
    const said: unknown[] = [];
    const first = processOf('lost', said);
    await first.start();
    await cutOff();
    await until(async () => {
      await first.look();
      return (await database.query(`SELECT 1 FROM ${LOCKS}`)).length > 0;
    });
    expect(first.isAlone()).toBe(true);
    await expect(processOf('lost').start()).rejects.toThrow(REFUSAL);
    expect(said).not.toContain(REFUSAL);
  });

  it('is red and says so when another one has taken its place meanwhile', async () => {
    const said: unknown[] = [];
    const [first, second] = [processOf('taken', said), processOf('taken')];
    await first.start();
    await cutOff();
    await second.start();
    await until(async () => {
      await first.look();
      return !first.isAlone();
    });
    await expect(first.check()).rejects.toEqual(new Unavailable(REFUSAL));
    expect(said.filter((each) => each === REFUSAL)).toEqual([REFUSAL]);
  });
});

describe('a service in production without Redis', () => {
  const alone = (said: unknown[] = []) => {
    const logger = { ...silentLogger, warn: (message: unknown) => void said.push(message) };
    const [one] = aloneWithoutRedis({
      ...{ database, logger, name: 'alone' },
      config: { APP_ENV: 'production', REDIS_URL: '' },
    });
    return opened(one as OnlyProcess);
  };

  it('starts beside another one, which it says, and is red in /health alone until that has ended', async () => {
    const said: unknown[] = [];
    const [first, second] = [alone(), alone(said)];
    await first.start();
    await second.start();
    expect([first.optional, said]).toEqual([true, [expect.stringContaining('Another process of alone works on this')]]);
    await expect(first.check()).resolves.toBeUndefined();
    await expect(second.check()).rejects.toThrow('end the other one, or set REDIS_URL for all of them');
    await first.stop();
    // The server ends a session some time after its client has
    await until(async () => {
      await second.look();
      return second.isAlone();
    });
    await expect(second.check()).resolves.toBeUndefined();
  });

  it.each([
    ['production', 'redis://127.0.0.1'],
    ['development', ''],
  ])('and in %s with %s none is asked', (APP_ENV, REDIS_URL) => {
    const config = { APP_ENV, REDIS_URL };
    expect(aloneWithoutRedis({ config, database, name: 'alone', logger: silentLogger })).toEqual([]);
  });
});
