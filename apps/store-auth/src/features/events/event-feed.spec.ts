import { revocationList, sidHashOf } from '@platform/auth';
import { AUTH_EVENTS_CHANNEL, type AuthEventPage, type Claims, type RevokeEvent } from '@platform/contracts';
import type { Database } from '@platform/data';
import { fixedClock, silentLogger } from '@platform/runtime';
import { expectNoSeqScan, explain, untilWaiting } from '@platform/testing';
import { decodeJwt } from 'jose';
import { bearer, brief, useApp } from '../../app.fixture';
import { EventFeed } from './event-feed';
import { SessionService } from '../sessions/session.service';

const clock = fixedClock('2026-11-20T07:00:00Z');
const { app, database } = useApp({ clock });

beforeEach(() => database.query('TRUNCATE events RESTART IDENTITY'));

const revoke = (sid_hash: string): RevokeEvent => ({ type: 'revoke', sid_hash, exp: 1_800_000_000 });
const publish = (sid: string) => app.parts.database.tx((tx) => app.parts.events.publish(tx, [revoke(sid)]));
const page = async (since?: string): Promise<AuthEventPage> => {
  const headers = bearer(await app.serviceToken('bot-engine'));
  const answer = await app.get(`/internal/events${since === undefined ? '' : `?since=${since}`}`, headers);
  return (answer.body as { data: AuthEventPage }).data;
};

describe('the revocation feed', () => {
  it('is empty at first, and its cursor finds what comes later', async () => {
    const headers = bearer(await app.serviceToken('bot-engine'));
    expect(brief(await app.get('/internal/events', headers))).toEqual({
      status: 200,
      body: { status: 'success', message: 'peristiwa', data: { items: [], cursor: '0' } },
    });
    await publish('a');
    expect(await page('0')).toEqual({ items: [revoke('a')], cursor: '1' });
    expect(await page('1')).toEqual({ items: [], cursor: '1' });
  });

  it('goes back two hours when no cursor is given, which is longer than any token lives', async () => {
    await publish('old');
    clock.advance(2 * 3600_000);
    await publish('new');
    expect(await page()).toEqual({ items: [revoke('new')], cursor: '2' });
    expect(await page('0')).toEqual({ items: [revoke('old'), revoke('new')], cursor: '2' });
  });

  it('begins again for a cursor of rows that a failover has lost, and goes on from there', async () => {
    await publish('old');
    clock.advance(2 * 3600_000);
    expect(await page('400')).toEqual({ items: [], cursor: '1' });
    await publish('kept');
    expect(await page('400')).toEqual({ items: [revoke('kept')], cursor: '2' });
    await publish('new');
    expect(await page('2')).toEqual({ items: [revoke('new')], cursor: '3' });
  });

  it('comes in pages of 500', async () => {
    await app.parts.database.tx((tx) =>
      app.parts.events.publish(
        tx,
        Array.from({ length: 501 }, (_, n) => revoke(`sid-${n}`)),
      ),
    );
    const first = await page();
    expect([first.items.length, first.cursor]).toEqual([500, '500']);
    expect(await page(first.cursor)).toEqual({ items: [revoke('sid-500')], cursor: '501' });
  });

  it('passes over none that comes while somebody asks for the first time', async () => {
    const { database: real, cache } = app.parts;
    const query: Database['query'] = async (text, values) => {
      const rows = await real.query<never>(text, values);
      await publish('meanwhile');
      return rows;
    };
    const feed = new EventFeed(Object.create(real, { query: { value: query } }) as Database, cache, clock);
    const first = await feed.since(undefined);
    expect(first.items).toEqual([]);
    expect((await page(first.cursor)).items).toEqual([revoke('meanwhile')]);
  });

  it('refuses a malformed cursor', async () => {
    const headers = bearer(await app.serviceToken('bot-engine'));
    expect(brief(await app.get('/internal/events?since=yesterday', headers))).toEqual({
      status: 422,
      body: { errors: [{ field: 'since', tag: 'numeric', message: 'since must be a valid numeric value' }] },
    });
  });

  it('shows a poller every event, also when transactions commit out of order', async () => {
    const order: string[] = [];
    const { polled, second } = await app.parts.database.tx(async (tx) => {
      await app.parts.events.publish(tx, [revoke('first')]);
      const publishing = publish('second').then(() => order.push('second'));
      await untilWaiting(tx, publishing);
      return { polled: await page('0'), second: publishing };
    });
    order.push('first');
    await second;
    expect(polled).toEqual({ items: [], cursor: '0' });
    expect(await page(polled.cursor)).toEqual({ items: [revoke('first'), revoke('second')], cursor: '2' });
    expect(order).toEqual(['first', 'second']);
  });

  it('tells the changes of a member so that the last one counts, also when a process whose clock is behind tells it, or in the same millisecond', async () => {
    const tell = (teams: string[]) => {
      const at = clock.now().getTime();
      const event = { type: 'membership', store_id: 'S1', user_id: 'u1', role: 'agent', teams, at } as const;
      return app.parts.database.tx((tx) => app.parts.events.publish(tx, [event]));
    };
    const token = { store_id: 'S1', sub: 'u1', role: 'agent', teams: ['3'], iat: clock.now().getTime() / 1000 - 60 };
    const list = revocationList({ feed: { since: page }, logger: silentLogger, clock });
    const seen = async () => (await list.refresh(), list.current(token as unknown as Claims).teams);
    clock.advance(5_000);
    await tell(['3', '4']);
    const told = [await seen()];
    clock.advance(-4_000);
    await tell(['3']);
    told.push(await seen());
    await tell([]);
    expect([...told, await seen()]).toEqual([['3', '4'], ['3'], []]);
  });

  it('makes nobody wait longer than two seconds for whoever is stuck with its lock', async () => {
    const { token } = await app.login();
    const logout = () => app.post('/api/logout', {}, bearer(token));
    const refused = await app.parts.database.tx(async (tx) => {
      await app.parts.events.publish(tx, [revoke('stuck')]);
      return logout();
    });
    expect(brief(refused)).toEqual({
      status: 503,
      body: { status: 'error', message: 'terjadi kesalahan, coba lagi' },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await logout()).status).toBe(200);
    expect((await page()).items).toHaveLength(2);
  });

  it('has no event of a transaction that was rolled back', async () => {
    const heard: string[] = [];
    const leave = await app.parts.cache.subscribe(
      AUTH_EVENTS_CHANNEL,
      (message) => void (isOurs(message) && heard.push(message)),
    );
    const failing = app.parts.database.tx(async (tx) => {
      await app.parts.events.publish(tx, [revoke('never')]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await publish('kept');
    while (heard.length === 0) await new Promise(setImmediate);
    await leave();
    expect(heard.map((message) => JSON.parse(message) as unknown)).toEqual([revoke('kept')]);
    expect((await page()).items).toEqual([revoke('kept')]);
  });

  it('is read by an index', async () => {
    const sql = 'SELECT id, payload FROM events WHERE id > $1::bigint ORDER BY id LIMIT $2';
    expectNoSeqScan(await explain(app.parts.database, sql, ['0', 500]), 'events');
    const recent = 'SELECT id, payload FROM events WHERE created_at > $1 ORDER BY id LIMIT $2';
    expectNoSeqScan(await explain(app.parts.database, recent, [new Date(), 500]), 'events');
  });
});

/** The channel is shared by everybody on the same Redis. */
const isOurs = (message: string): boolean => /"(never|kept)"/.test(message);

it('a revoked login is announced to the verifiers of the other services', async () => {
  const { token } = await app.login();
  const sidHash = sidHashOf(String(decodeJwt(token).sid));
  const sessions = new SessionService({ ...app.parts, accessTtl: 3600 });
  const list = revocationList({ feed: { since: page }, logger: silentLogger, clock });
  const revokeIt = () => app.parts.database.tx((tx) => sessions.revoke(tx, { sidHash }));
  expect([await revokeIt(), await revokeIt()]).toEqual([1, 0]);
  await list.refresh();
  expect(list.isRevoked(sidHash)).toBe(true);
  const exp = Math.floor(clock.now().getTime() / 1000) + 3600;
  expect((await page()).items).toEqual([{ type: 'revoke', sid_hash: sidHash, exp }]);
});
