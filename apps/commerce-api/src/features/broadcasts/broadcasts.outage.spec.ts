// chat-backend itself, which cannot answer for a while: a broadcast waits for it, and is given up only where nothing helps.
import { until, useRunning } from '@platform/testing';
import type { Ask } from '../../asked.fixture';
import type { Broadcast } from './broadcasts.dto';
import { startBroadcastsWorld } from './broadcasts.fixture';
import { startOutages, type Outage } from './broadcasts.outage.fixture';

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
  return { ...own, id };
};
const get = async (ask: Ask, id: string) => (await ask<Broadcast>('GET', `/broadcast/${id}`)).body.data;

it.each<[string, Omit<Outage, 'times'>]>([
  ['cannot take the recipients now', { calls: /^POST .*recipients/, status: 503, headers: { 'retry-after': '1' } }],
  ['is asked too much at the start', { calls: /^POST .*action/, status: 429, headers: { 'retry-after': '1' } }],
])('a broadcast is sent later when chat-backend %s, and stays counted', async (_, outage) => {
  const { storeId, ask, id, people } = await drafted();
  await people(`62821${outage.status}`.slice(0, 7), 2);
  const passing = { ...outage, times: 1 };
  world.outages.push(passing);
  expect((await ask('POST', `/broadcast/${id}/send`, {})).status).toBe(200);
  const end = await until(
    () => get(ask, id),
    ({ status, starting }) => status === 'done' || (status === 'draft' && !starting),
  );
  expect([passing.times, end.status, end.counts.sent, await world.counted(storeId)]).toEqual([0, 'done', 2, 1]);
});

it('a broadcast that no attempt has sent is given back, told of, and may be sent again', async () => {
  const { storeId, ask, id, people } = await drafted();
  await people('6282399', 1);
  const away = { calls: /^PUT .*recipients/, status: 503, headers: { 'retry-after': '1' }, times: 2 };
  world.outages.push(away);
  await ask('POST', `/broadcast/${id}/send`, {});
  await until(() => away.times === 1);
  const lastAttempt = `UPDATE commerce_api_jobs._private_jobs SET attempts = max_attempts - 1, run_at = now()
    WHERE payload ->> 'id' = $1 AND locked_at IS NULL RETURNING 1`;
  await until(async () => (await world.commerce.database.query(lastAttempt, [id])).length > 0);
  const given = await until(
    () => get(ask, id),
    ({ starting }) => !starting,
  );
  expect([given.status, away.times, await world.counted(storeId)]).toEqual(['draft', 0, 0]);
  const notices = async () => (await ask<{ title: string; url: string }[]>('GET', '/notification')).body.data;
  const [notice] = await until(notices, ({ length }) => length > 0);
  expect(notice).toMatchObject({ title: 'Broadcast tidak terkirim', url: `/broadcast/${id}` });
  expect((await ask('POST', `/broadcast/${id}/send`, {})).status).toBe(200);
  await until(
    () => get(ask, id),
    ({ status }) => status === 'done',
  );
});
