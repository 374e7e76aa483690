import { once, EventEmitter } from 'node:events';
import { useDatabase } from '@platform/testing';

const db = useDatabase({ schema: 'news' });

/** What arrived, and a way to wait for it. */
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

describe('listen', () => {
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
    expect(await listening()).toHaveLength(1);
    await Promise.all([endB(), endOther()]);
  });

  it('hears nothing of a transaction that rolls back', async () => {
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

  it('listens again by itself after its connection was ended', async () => {
    const { handler, received, until } = inbox();
    const end = await db.listen('orders', handler);
    const [before] = await listening();
    await db.query('SELECT pg_terminate_backend($1)', [before?.pid]);
    // Only a notification sent after the renewal can arrive, so it is repeated until one does.
    while (received.length === 0) await notify('orders', 'back again');
    await until('back again');
    expect((await listening())[0]?.pid).not.toBe(before?.pid);
    await end();
  });
});
