// chat-backend itself: a broadcast goes to whom it shows, at the time that it shows, and says what it says.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { invalid, refused, type Ask } from '../../asked.fixture';
import type { Broadcast } from './broadcasts.dto';
import { startBroadcastsWorld } from './broadcasts.fixture';
import { startOutages } from './broadcasts.outage.fixture';

const world = useRunning(async () => {
  const inner = await startBroadcastsWorld();
  const outages = await startOutages(inner.chat.url);
  await inner.worker(outages.url);
  return { ...inner, ...outages, stop: () => (outages.stop(), inner.stop()) };
});

const drafted = async (more: object = {}) => {
  const own = await world.store();
  const body = { name: 'Promo', device_id: own.device_id, audience: { all: true }, message: { text: 'Halo' }, ...more };
  const { id } = (await own.ask<Broadcast>('POST', '/broadcast', body)).body.data;
  return { ...own, body, id };
};
const get = async (ask: Ask, id: string) => (await ask<Broadcast>('GET', `/broadcast/${id}`)).body.data;
const reaches = (ask: Ask, id: string, wanted: string) =>
  until(
    () => get(ask, id),
    ({ status, starting }) => status === wanted && !starting,
  );
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const recipients = async (ask: Ask, id: string) =>
  (await ask<{ phone: string }[]>('GET', `/broadcast/${id}/recipients`)).body.data.map(({ phone }) => phone);
const contact = async (ask: Ask, phone: string) =>
  (await ask<{ id: string }>('POST', '/contact', { name: 'Budi', phone })).body.data.id;
const begins = async (storeId: string) =>
  (
    await world.chat.database.query<{ minute: string | null }>(
      `SELECT to_char(jadwal AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI') AS minute FROM broadcasts WHERE store_id = $1`,
      [storeId],
    )
  )[0]?.minute;

describe('what is scheduled', () => {
  it('goes to nobody who was taken out of its audience', async () => {
    const { storeId, ask, id } = await drafted();
    const vip = await contact(ask, '6281234000001');
    await contact(ask, '6281234000002');
    const at = hoursAhead(24);
    await ask('POST', `/broadcast/${id}/send`, { at });
    expect(await reaches(ask, id, 'scheduled')).toMatchObject({ schedule_at: at, counts: { total: 2 } });
    const changed = await ask<Broadcast>('PUT', `/broadcast/${id}`, { audience: { contact_ids: [vip] } });
    expect(changed.status).toBe(200);
    expect(await reaches(ask, id, 'scheduled')).toMatchObject({ schedule_at: at, counts: { total: 1, pending: 1 } });
    expect([await recipients(ask, id), await begins(storeId), await world.counted(storeId)]).toEqual([
      ['6281234000001'],
      at.slice(0, 16),
      1,
    ]);
  });

  it('begins at the time that a change or another send has set, and not at all without one', async () => {
    const { storeId, ask, id, people } = await drafted({ schedule_at: hoursAhead(24) });
    await people('6281111', 2);
    await ask('POST', `/broadcast/${id}/send`, {});
    await reaches(ask, id, 'scheduled');
    const moves = [
      ['PUT', '', 'schedule_at', hoursAhead(48)],
      ['POST', '/send', 'at', hoursAhead(72)],
    ] as const;
    for (const [method, path, field, at] of moves) {
      expect((await ask(method, `/broadcast/${id}${path}`, { [field]: at })).status).toBe(200);
      expect(await reaches(ask, id, 'scheduled')).toMatchObject({ schedule_at: at, counts: { total: 2 } });
      expect(await begins(storeId)).toBe(at.slice(0, 16));
    }
    expect((await ask('PUT', `/broadcast/${id}`, { schedule_at: null })).status).toBe(200);
    expect(await get(ask, id)).toMatchObject({ status: 'draft', starting: false, schedule_at: null });
    expect(await begins(storeId)).toBeNull();
  });
});

it('one that is scheduled while chat-backend has yet to hear of other clocks of its store begins at the time that it shows', async () => {
  const { storeId, ask, id } = await drafted();
  await world.commerce.database.query(`UPDATE store SET timezone = 'Asia/Jayapura' WHERE store_id = $1`, [storeId]);
  const at = hoursAhead(24);
  await ask('POST', `/broadcast/${id}/send`, { at });
  expect((await reaches(ask, id, 'scheduled')).schedule_at).toBe(at);
  expect(await begins(storeId)).toBe(at.slice(0, 16));
});

it('whom an attempt has put in that failed gets nothing when the audience changes before the next', async () => {
  const { ask, id, people } = await drafted();
  await people('6281222', 3);
  const vip = await contact(ask, '6281234000003');
  world.outages.push({ calls: /^POST .*action/, status: 404, times: 1 });
  await ask('POST', `/broadcast/${id}/send`, {});
  const failed = await until(
    () => get(ask, id),
    ({ starting, counts }) => !starting && counts.total === 4,
  );
  expect(failed.status).toBe('draft');
  await ask('PUT', `/broadcast/${id}`, { audience: { contact_ids: [vip] } });
  expect((await get(ask, id)).counts.total).toBe(0);
  await ask('POST', `/broadcast/${id}/send`, {});
  await reaches(ask, id, 'done');
  expect(await recipients(ask, id)).toEqual(['6281234000003']);
});

it('one that is cancelled while it starts is cancelled: nobody is told of a failure, and the plan counts it no more', async () => {
  const { storeId, ask, id, people } = await drafted();
  await people('6281777', 2);
  const away = { calls: /^POST .*action/, status: 503, headers: { 'retry-after': '1' }, times: 1 };
  world.outages.push(away);
  await ask('POST', `/broadcast/${id}/send`, {});
  await until(() => away.times === 0);
  expect((await ask<Broadcast>('POST', `/broadcast/${id}/cancel`)).body.data.status).toBe('cancelled');
  expect((await reaches(ask, id, 'cancelled')).counts.sent).toBe(0);
  await until(
    () =>
      world.commerce.database.query(`SELECT 1 FROM commerce_api_jobs._private_jobs WHERE payload ->> 'id' = $1`, [id]),
    ({ length }) => length === 0,
  );
  expect([(await ask('GET', '/notification')).body.data, await world.counted(storeId)]).toEqual([[], 0]);
});

describe('a broadcast that leaves out the contacts of a tag', () => {
  const leavingOut = async () => {
    const own = await world.store();
    const phones = [`6281${own.device_id.replace(/\D/g, '').slice(-9)}`, '6281234000009'];
    const tag = (await own.ask<{ id: string }>('POST', '/tag', { name: 'Jangan kirim' })).body.data.id;
    for (const [at, phone] of phones.entries())
      await own.ask('POST', '/contact', { name: 'Budi', phone, ...(at === 0 && { tags: ['Jangan kirim'] }) });
    const audience = { exclude_tag_ids: [tag] };
    const body = { name: 'Promo', device_id: own.device_id, audience, message: { text: 'Halo' } };
    const { id } = (await own.ask<Broadcast>('POST', '/broadcast', body)).body.data;
    return { ...own, id, tag, forget: () => own.ask('DELETE', `/tag/${tag}`) };
  };

  it('is not sent to them when the tag is gone: nobody knows who was meant', async () => {
    const { storeId, ask, id, forget } = await leavingOut();
    await forget();
    const { status, body } = await ask('POST', `/broadcast/${id}/send`, {});
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ message: 'audience.exclude_tag_ids[0] is not a tag of this store' }),
    ]);
    expect([(await get(ask, id)).starting, await world.counted(storeId)]).toEqual([false, 0]);
  });

  it('is given back, and told of, when the tag goes before its recipients are put in', async () => {
    const { storeId, ask, id, forget } = await leavingOut();
    const away = { calls: /^PUT .*recipients/, status: 503, headers: { 'retry-after': '1' }, times: 1 };
    world.outages.push(away);
    await ask('POST', `/broadcast/${id}/send`, {});
    await until(() => away.times === 0);
    await forget();
    expect(
      await until(
        () => get(ask, id),
        ({ starting }) => !starting,
      ),
    ).toMatchObject({ status: 'draft' });
    expect(await world.counted(storeId)).toBe(0);
    const notices = async () => (await ask<{ url: string }[]>('GET', '/notification')).body.data;
    expect(await until(notices, ({ length }) => length > 0)).toMatchObject([{ url: `/broadcast/${id}` }]);
  });
});

it('two requests with one key at once are one broadcast, and the other one is refused', async () => {
  const { ask, body } = await drafted();
  const key = uuidv7();
  const names = ['a', 'b', 'c', 'd'];
  const made = await Promise.all(names.map((name) => ask<Broadcast>('POST', '/broadcast', { ...body, name }, key)));
  const [first, ...more] = made.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  const other = refused(409, 'idempotency_mismatch', 'Idempotency-Key was used with a different request');
  expect(made.filter(({ status }) => status !== 201)).toEqual([other, other, other]);
  const { id = '', name } = first?.body.data ?? {};
  expect(await get(ask, id)).toMatchObject({ name });
});

it('changes at the same time are each kept', async () => {
  const { ask, id } = await drafted();
  const changes = [{ name: 'Baru' }, { rate_per_minute: 7 }, { quiet_hours: { from: '21:00', to: '07:00' } }];
  const each = await Promise.all(changes.map((change) => ask('PUT', `/broadcast/${id}`, change)));
  expect(each.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await get(ask, id)).toMatchObject(Object.assign({}, ...changes) as object);
});

describe('a broadcast of a quick reply', () => {
  const replied = async (body: string, more: object = {}) => {
    const own = await world.store();
    const made = await own.ask<{ id: string }>('POST', '/response-template', { shortcut: 'promo', body });
    const template_id = made.body.data.id;
    const asked = { name: 'Promo', device_id: own.device_id, audience: { all: true } };
    return { ...own, answer: await own.ask('POST', '/broadcast', { ...asked, message: { template_id, ...more } }) };
  };
  const content = async (storeId: string) =>
    (
      await world.chat.database.query(`SELECT body -> 'content' AS content FROM broadcasts WHERE store_id = $1`, [
        storeId,
      ])
    )[0];

  it('says what that says', async () => {
    const { storeId, answer } = await replied('Halo {{name}}');
    expect([answer.status, await content(storeId)]).toMatchObject([201, { content: { text: 'Halo {{name}}' } }]);
  });

  it('whose words name what nobody has is refused', async () =>
    expect((await replied('Resi {{waybill}}')).answer).toEqual(
      invalid('message.template_id', 'message.template_id names {{waybill}}, which nobody has'),
    ));

  it('is no message of an order', async () => {
    const { ask, body } = await drafted();
    const event = { event: 'order_paid', body: 'Lunas {{order_number}}' };
    const template_id = (await ask<{ id: string }>('POST', '/template-message', event)).body.data.id;
    expect(await ask('POST', '/broadcast', { ...body, message: { template_id } })).toEqual(
      refused(404, 'not_found', 'Template not found'),
    );
  });
});
