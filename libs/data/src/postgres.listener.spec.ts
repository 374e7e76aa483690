import { once, EventEmitter } from 'node:events';
import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { startGate, until, useDatabase, useOpened } from '@platform/testing';
import { openDatabase } from './database';

const warnings: unknown[] = [];
const logger = { ...silentLogger, warn: (...said: unknown[]) => void warnings.push(said) };
const db = useDatabase({ schema: 'news', logger });
const ended = useOpened();

beforeEach(() => void warnings.splice(0));

/** Records notifications, and waits for them. */
const inbox = () => {
  const events = new EventEmitter();
  const received: string[] = [];
  const handler = (payload: string) => void (received.push(payload), events.emit('news'));
  const until = async (payload: string) => {
    while (!received.includes(payload)) await once(events, 'news');
  };
  return { received, handler, until };
};

const notify = (channel: string, payload: string) => db.query('SELECT pg_notify($1, $2)', [channel, payload]);
const listening = () =>
  db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'news listener' AND datname = current_database()`,
  );

describe('listening to a channel (listen)', () => {
  it('delivers to every handler of the channel, on one connection, until it is ended', async () => {
    const [a, b, other] = [inbox(), inbox(), inbox()];
    const endA = await db.listen('Orders', a.handler);
    const endB = await db.listen('Orders', b.handler);
    const endOther = await db.listen('other', other.handler);
    await notify('Orders', 'one');
    await Promise.all([a.until('one'), b.until('one')]);
    await endA();
    await notify('Orders', 'two');
    await b.until('two');
    expect([a.received, b.received, other.received]).toEqual([['one'], ['one', 'two'], []]);
    await notify('other', 'three');
    await other.until('three');
    expect(await listening()).toHaveLength(1);
    await Promise.all([endB(), endOther()]);
  });

  it('receives nothing from a transaction that rolls back', async () => {
    const { handler, received, until } = inbox();
    const end = await db.listen('orders', handler);
    await db
      .tx(async (tx) => (await tx.query(`NOTIFY orders, 'rolled back'`), Promise.reject(new Error('no'))))
      .catch(() => undefined);
    await notify('orders', 'committed');
    await until('committed');
    expect(received).toEqual(['committed']);
    await end();
  });

  it('resumes by itself after its connection was ended', async () => {
    const { handler, received, until } = inbox();
    const end = await db.listen('orders', handler);
    const [before] = await listening();
    // Once it is gone: it is not to be taken for the one that comes
    await db.query('SELECT pg_terminate_backend($1, 10000)', [before?.pid]);
    // Only a notification sent after the renewal can arrive, so it is repeated until one does.
    while (received.length === 0) await notify('orders', 'back again');
    await until('back again');
    expect((await listening())[0]?.pid).not.toBe(before?.pid);
    expect(warnings[0]).toEqual([
      'the listening database connection was lost',
      { error: 'terminating connection due to administrator command' },
    ]);
    await end();
  });

  it('unlistens with the last handler of a channel, however often that handler leaves', async () => {
    const said = () =>
      db.query(
        `SELECT query FROM pg_stat_activity WHERE application_name = 'news listener' AND datname = current_database()`,
      );
    const ends = [await db.listen('orders', () => undefined), await db.listen('orders', () => undefined)];
    await ends[0]?.();
    expect(await said()).toEqual([{ query: expect.stringMatching(/^LISTEN "orders"$/) }]);
    await ends[1]?.();
    expect(await said()).toEqual([{ query: expect.stringMatching(/^UNLISTEN "orders"$/) }]);
    for (const end of ends) await end();
  });

  it('has no session left after the stop', async () => {
    const own = openDatabase({ url: db.url, schema: 'news', logger, name: 'own' });
    const sessions = () =>
      db.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'own listener' AND datname = current_database()`,
      );
    await own.listen('orders', () => undefined);
    expect(await sessions()).toHaveLength(1);
    await own.stop?.();
    await until(async () => (await sessions()).length === 0);
  });

  it('fails while the server is down, resumes when it is back, and keeps its channels through the next outage', async () => {
    const door = ended(await startGate(db.url));
    const away = ended(openDatabase({ url: door.url, schema: 'news', logger, name: 'away' }));
    await door.close();
    await expect(away.listen('orders', () => undefined)).rejects.toThrow(Unavailable);
    await door.open();
    const { handler, received } = inbox();
    await away.listen('orders', handler);
    await door.close();
    const failed = ['the listening database connection cannot be renewed yet', { error: expect.any(String) }];
    await until(() => warnings.some((one) => (one as string[])[0] === failed[0]));
    expect(warnings).toContainEqual(failed);
    await door.open();
    while (received.length === 0) await notify('orders', 'back again');
    expect(received[0]).toBe('back again');
  });
});
