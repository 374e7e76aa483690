// chat-backend itself, as a process beside this service: what the face does with its answers, and without them.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { invalid, notHere, refused, succeeded, type Ask } from '../../asked.fixture';
import { startBroadcastsWorld } from './broadcasts.fixture';
import type { Broadcast } from './broadcasts.dto';

const world = useRunning(startBroadcastsWorld);
beforeAll(() => world.worker());

type Own = Awaited<ReturnType<typeof world.store>>;
const draftOf = ({ device_id }: Own, more: object = {}) => ({
  ...{ name: 'Promo', device_id, audience: { all: true }, message: { text: 'Halo {{name}}' }, ...more },
});
const draft = async (own: Own, more: object = {}) =>
  (await own.ask<Broadcast>('POST', '/broadcast', draftOf(own, more))).body.data;
const get = async (ask: Ask, id: string) => (await ask<Broadcast>('GET', `/broadcast/${id}`)).body.data;
const unknown = refused(404, 'not_found', 'Broadcast not found');
const wrongState = refused(409, 'invalid_transition', 'The broadcast is in another state');
const NOBODY = { total: 0, pending: 0, sent: 0, delivered: 0, viewed: 0, failed: 0, skipped: 0 };
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('a broadcast', () => {
  it('is drafted once under a key, changed, shown, listed and deleted', async () => {
    const own = await world.store();
    const { ask, device_id } = own;
    const key = uuidv7();
    const made = await Promise.all([1, 2, 3].map(() => ask<Broadcast>('POST', '/broadcast', draftOf(own), key)));
    const shown = {
      ...{ id: made[0]?.body.data.id, name: 'Promo', device_id, audience: { all: true }, schedule_at: null },
      ...{
        message: { text: 'Halo {{name}}' },
        rate_per_minute: 20,
        quiet_hours: null,
        status: 'draft',
        counts: NOBODY,
      },
      starting: false,
    };
    for (const each of made) expect(each).toEqual(succeeded(201, 'Broadcast created', shown));
    expect(await ask('POST', '/broadcast', draftOf(own, { name: 'Lain' }), key)).toEqual(
      refused(409, 'idempotency_mismatch', 'Idempotency-Key was used with a different request'),
    );
    expect((await ask('GET', '/broadcast')).body).toMatchObject({ data: [shown], meta: { next_cursor: null } });
    const quiet_hours = { from: '21:00', to: '07:00' };
    const changed = { ...shown, name: 'Baru', quiet_hours, rate_per_minute: 5 };
    const change = { name: 'Baru', quiet_hours, rate_per_minute: 5 };
    expect(await ask('PUT', `/broadcast/${shown.id}`, change)).toEqual(succeeded(200, 'Broadcast updated', changed));
    expect(await get(ask, String(shown.id))).toEqual(changed);
    expect(await ask('POST', `/broadcast/${shown.id}/pause`)).toEqual(wrongState);
    expect(await ask('DELETE', `/broadcast/${shown.id}`)).toEqual(succeeded(200, 'Broadcast deleted', null));
    expect(await ask('DELETE', `/broadcast/${shown.id}`)).toEqual(unknown);
  });

  it('is emptied of its time, its pace and its quiet hours by null, also at chat-backend', async () => {
    const own = await world.store();
    const quiet_hours = { from: '21:00', to: '07:00' };
    const given = { schedule_at: hoursAhead(24), rate_per_minute: 5, quiet_hours };
    const full = await draft(own, given);
    expect(full).toMatchObject(given);
    const there = async () =>
      (
        await world.chat.database.query<{ body: object }>('SELECT body FROM broadcasts WHERE store_id = $1', [
          own.storeId,
        ])
      )[0]?.body;
    expect(await there()).toMatchObject({ bulk: { delay_min: 12 }, jam_tenang: quiet_hours });
    const change = { quiet_hours: null, schedule_at: null, rate_per_minute: null };
    const emptied = { ...full, quiet_hours: null, schedule_at: null, rate_per_minute: 20 };
    expect(await own.ask('PUT', `/broadcast/${full.id}`, change)).toEqual(succeeded(200, 'Broadcast updated', emptied));
    expect(await get(own.ask, full.id)).toEqual(emptied);
    expect(await there()).toMatchObject({ bulk: { delay_min: 3 }, jam_tenang: null });
    // What has no time goes out at once
    await own.people('6284', 1);
    await own.ask('POST', `/broadcast/${full.id}/send`, {});
    await until(
      () => get(own.ask, full.id),
      ({ status }) => status === 'done',
    );
  });

  it('is scheduled on the clocks of the store, can be changed until then, and is counted once', async () => {
    const own = await world.store();
    await own.people('6282', 3);
    const { id } = await draft(own);
    const at = hoursAhead(24);
    expect((await own.ask<Broadcast>('POST', `/broadcast/${id}/send`, { at })).body.data.starting).toBe(true);
    await until(
      () => get(own.ask, id),
      ({ status, starting }) => status === 'scheduled' && !starting,
    );
    const [row] = await world.chat.database.query<{ minute: string }>(
      `SELECT to_char(jadwal AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI') AS minute FROM broadcasts WHERE store_id = $1`,
      [own.storeId],
    );
    expect(row?.minute).toBe(at.slice(0, 16));
    expect((await own.ask('PUT', `/broadcast/${id}`, { name: 'Nanti' })).status).toBe(200);
    const again = hoursAhead(48);
    expect((await own.ask('POST', `/broadcast/${id}/send`, { at: again })).status).toBe(200);
    await until(
      () => get(own.ask, id),
      ({ starting }) => !starting,
    );
    expect(await world.counted(own.storeId)).toBe(1);
    const cancelled = await own.ask<Broadcast>('POST', `/broadcast/${id}/cancel`);
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', counts: { total: 3 } });
    expect(await own.ask('POST', `/broadcast/${id}/send`, {})).toEqual(wrongState);
  });

  it('is one of as many as the plan has room for in a month', async () => {
    const own = await world.store();
    await own.people('6283', 1);
    const drafts = await Promise.all(Array.from({ length: 12 }, () => draft(own)));
    const sent = await Promise.all(drafts.map(({ id }) => own.ask('POST', `/broadcast/${id}/send`, {})));
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(10);
    const over = refused(402, 'plan_limit', 'The plan allows 10 (broadcasts)', { metric: 'broadcasts', limit: 10 });
    expect(sent.filter(({ status }) => status !== 200)).toEqual([over, over]);
    expect(await world.counted(own.storeId)).toBe(10);
  });

  it('of another store is found by no route', async () => {
    const [mine, theirs] = [await world.store(), await world.store()];
    const { id } = await draft(theirs);
    const asked: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'Hijacked' }],
      ['DELETE', ''],
      ['POST', '/send', {}],
      ...['pause', 'resume', 'cancel'].map((step): [string, string] => ['POST', `/${step}`]),
      ['GET', '/recipients'],
    ];
    for (const [method, path, body] of asked)
      expect([path, await mine.ask(method, `/broadcast/${id}${path}`, body)]).toEqual([path, unknown]);
    expect(await mine.ask('POST', '/broadcast', draftOf(theirs))).toEqual(
      notHere('device_id', 'is not a device of this store'),
    );
    expect(await get(theirs.ask, id)).toMatchObject({ name: 'Promo', status: 'draft' });
  });

  it('names nobody in particular, or what nobody has, and is refused', async () => {
    const own = await world.store();
    const post = (more: object) => own.ask('POST', '/broadcast', draftOf(own, more));
    const nobody = invalid('audience', 'audience must be all, or at least one condition');
    expect([await post({ audience: {} }), await post({ audience: { all: true, tag_ids: [uuidv7()] } })]).toEqual([
      nobody,
      nobody,
    ]);
    expect(await post({ message: { text: 'Kode {{kode}}' } })).toMatchObject({ status: 422 });
    expect(await post({ audience: { tag_ids: [uuidv7()] } })).toMatchObject({ status: 404 });
    expect(await post({ schedule_at: hoursAhead(-1) })).toEqual(
      invalid('schedule_at', 'schedule_at must be in the future and within 90 days'),
    );
    expect(await post({ message: { template_id: 'none' } })).toEqual(refused(404, 'not_found', 'Template not found'));
  });
});

it('is a bad gateway at every route while chat-backend is slow or away, and nothing is counted', async () => {
  const own = await world.store();
  const { id } = await draft(own);
  const routes: [string, string, object?][] = [
    ['GET', ''],
    ['POST', '', draftOf(own)],
    ['GET', `/${id}`],
    ['PUT', `/${id}`, { name: 'X' }],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/send`, {}],
    ...['pause', 'resume', 'cancel'].map((step): [string, string] => ['POST', `/${id}/${step}`]),
    ['GET', `/${id}/recipients`],
  ];
  const answers = () =>
    Promise.all(
      routes.map(async ([method, path, body]) => {
        const answer = await own.ask(method, `/broadcast${path}`, body);
        return [answer.status, answer.body.code];
      }),
    );
  world.chat.freeze();
  // Those that come when five have waited in vain fail at once
  const slow = await answers();
  expect(slow.filter(([status]) => status === 504).length).toBeGreaterThanOrEqual(5);
  expect(slow.filter(([, code]) => code !== 'provider_timeout' && code !== 'provider_error')).toEqual([]);
  world.chat.awaken();
  await world.chat.kill();
  expect(await answers()).toEqual(routes.map(() => [502, 'provider_error']));
  expect(await world.counted(own.storeId)).toBe(0);
  await world.chat.restart();
});
