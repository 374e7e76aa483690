import { silentLogger, uuidv5 } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { LifecycleRepository } from '../lifecycle/lifecycle.repository';
import { ADD, ADD_AUDIENCE, FIND, LIST, RECIPIENTS, DEVICELESS } from './broadcast.sql';
import { FORGET, SKIP } from './forgotten.sql';
import { BroadcastRepository } from './broadcast.repository';
import { BroadcastSteps } from './broadcast.steps';
import { CampaignEnds } from './campaign.ends';
import { CONTENT, dataOf, newId, people, useCampaigns, wallClock } from './broadcasts.fixture';
import { DONE, ENDED, NEXT, PASS_OVER, STOP, TAKEN, TRIED, TRY } from './fill.sql';

const chat = useCampaigns();

const campaignOf = async (range: string, count: number): Promise<string> =>
  dataOf(await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(count, range) })).broadcastId;

describe('a campaign', () => {
  it('keeps the outcome of one recipient when the next cannot be written, and goes on later', async () => {
    await chat.database.query(`
      CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
      CREATE TRIGGER refuse_row BEFORE INSERT ON conversations FOR EACH ROW WHEN (NEW.nohp = '628100000001') EXECUTE FUNCTION refuse_row()`);
    const id = await campaignOf('6281', 3);
    const stuck = await until(
      () => chat.campaign(id),
      (now) => (now as unknown as { terkirim: number }).terkirim === 1,
    );
    expect(stuck).toMatchObject({ status: 'sending', valid: 3, gagal: 0 });
    await until(() => chat.log.some((line) => line.includes('a campaign could not advance at once')));
    await chat.database.query('DROP TRIGGER refuse_row ON conversations');
    await chat.send('/v1/broadcast/scheduler', {});
    expect(await chat.reaches(id, 'done')).toMatchObject({ terkirim: 3 });
    expect(chat.numbers()).toEqual(people(3, '6281').map(({ nohp }) => nohp));
  });

  it('waits for an absent gateway without limit while it sends, and not once it is paused', async () => {
    const away = { status: 503, message: 'no store', retryAfterSeconds: 0.01 };
    chat.gateway.next.push(...Array(10_000).fill(away));
    const id = await campaignOf('6282', 2);
    await until(() => chat.gateway.calls.length > 0);
    await chat.database.query(`UPDATE outbox_row SET first_try_at = now() - interval '3 days' WHERE state = 'queued'`);
    const tries = chat.gateway.calls.length;
    await until(() => chat.gateway.calls.length > tries + 1);
    expect(await chat.campaign(id)).toMatchObject({ status: 'sending', gagal: 0 });
    await chat.send('/v1/broadcast/scheduler', { broadcastId: id, aksi: 'pause' });
    const given = await until(
      () => chat.campaign(id),
      (now) => (now as unknown as { gagal: number }).gagal === 1,
    );
    expect(given).toMatchObject({ status: 'paused', terkirim: 0 });
    chat.gateway.next.length = 0;
    await chat.send('/v1/broadcast/scheduler', { broadcastId: id, aksi: 'resume' });
    expect(await chat.reaches(id, 'done')).toMatchObject({ terkirim: 1, gagal: 1 });
  });

  it('counts a failed recipient as sent once its row is replayed', async () => {
    chat.gateway.next.push({ status: 422, message: 'number not on whatsapp' });
    const id = await campaignOf('6283', 1);
    expect(await chat.reaches(id, 'done')).toMatchObject({ terkirim: 0, gagal: 1 });
    await chat.database
      .query(`WITH d AS (SELECT id, payload FROM outbox_row WHERE state = 'dead' AND payload->>'nohp' = '628300000000')
      , m AS (UPDATE messages SET error = NULL, failed_at = NULL FROM d WHERE pesan_id = d.payload->>'pesanId') SELECT outbox_replay(id) FROM d`);
    const after = await until(
      () => chat.campaign(id),
      (now) => (now as unknown as { terkirim: number }).terkirim === 1,
    );
    expect(after).toMatchObject({ status: 'done', gagal: 0 });
  });

  it("never resends a message that already went out under its recipient's id", async () => {
    const broadcastId = newId();
    const [{ nohp } = { nohp: '' }] = people(1, '6284');
    await chat.inbound({ number: `${nohp}@s.whatsapp.net` });
    const before = { nohp, instance: 'dev1', team: '3', pesan: 'dulu', pesan_id: uuidv5(broadcastId, nohp) };
    await chat.post('/v1/send_message', before);
    await chat.send('/v1/send_broadcast', { ...CONTENT, broadcastId, penerima: people(2, '6284') });
    expect(await chat.reaches(`S1.${broadcastId}`, 'done')).toMatchObject({ valid: 2, terkirim: 1, gagal: 1 });
    const { body } = await chat.internal('GET', `/${broadcastId}/recipients?store_id=S1&status=failed`);
    expect(body).toMatchObject({ data: [{ nohp, error: 'pesan sudah diproses' }] });
    expect(chat.numbers().filter((number) => number === nohp)).toEqual([nohp]);
  });

  it('with too large an audience is refused, or fails when its scheduled time comes', async () => {
    await chat.database.query(
      `INSERT INTO customers (store_id, id, nohp) SELECT 'S2', uuidv7(), '62800' || n FROM generate_series(1000000, 1000002) n`,
    );
    const { database } = chat;
    const repository = new BroadcastRepository();
    const fill = { queue: async () => undefined };
    const told: unknown[] = [];
    const notifications = { notified: (rows: unknown) => void told.push(rows) };
    const ends = new CampaignEnds({ database, notifications, logger: silentLogger });
    const needs = { database, repository, lifecycle: new LifecycleRepository(), fill, ends, mostAudience: 2 };
    const steps = new BroadcastSteps(needs);
    const id = newId();
    const key = { storeId: 'S2', broadcastId: id };
    const body = { ...CONTENT, store_id: 'S2', instance: 'dev2', filter: { total_order_min: 0 } };
    await chat.internal('PUT', `/${id}`, body);
    await expect(steps.act(key, 'start')).rejects.toMatchObject({ code: 'too_broad' });
    expect(await chat.campaign(`S2.${id}`)).toMatchObject({ status: 'draft', total: 0 });
    await steps.act(key, 'schedule', { at: new Date().toISOString() });
    expect(await steps.sweep('S2')).toBe(0);
    expect(await chat.campaign(`S2.${id}`)).toMatchObject({ status: 'failed', total: 0 });
    // A service made it: no user is told
    expect(told).toEqual([null]);
    const other = newId();
    await chat.internal('PUT', `/${other}`, { ...body, filter: { ...body.filter, last_order_to: '2020-01-01' } });
    await chat.internal('POST', `/${other}/action`, { store_id: 'S2', aksi: 'schedule', jadwal: wallClock(9) });
    expect(await chat.campaign(`S2.${other}`)).toMatchObject({ status: 'scheduled', total: 0 });
  });

  it('reads only by indexes', async () => {
    const id = newId();
    const key = ['S1', id];
    const statements: (readonly [string, readonly unknown[]])[] = [
      [NEXT, key],
      [TAKEN, [...key, '628', 'p', id, 1, '1']],
      [PASS_OVER, [...key, '628', 'x', 5]],
      [ENDED, [...key, '628', 'p', 'dev1', 1, null, '1']],
      [DONE, key],
      [STOP, [...key, 'sending', 'paused', 'why', false]],
      [DEVICELESS, [null]],
      [FORGET, ['[]']],
      [SKIP, ['[]']],
      [TRY, [...key, 'sending']],
      [TRIED, key],
      [FIND, key],
      [ADD, [...key, '[]']],
      [ADD_AUDIENCE, [...key, '{}', 10]],
      [LIST, ['S1', null, 'infinity', id, 50]],
      [RECIPIENTS, [...key, null, '0', 50]],
    ];
    const tables = ['broadcasts', 'broadcast_recipients', 'messages', 'conversations', 'customers'];
    for (const [text, values] of statements) expectNoSeqScan(await explain(chat.database, text, values), ...tables);
  });
});
