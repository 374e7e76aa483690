import { silentLogger, systemClock } from '@platform/runtime';
import { until } from '@platform/testing';
import { message } from '../../chat.fixture';
import { MediaIntake } from '../media/media.intake';
import { MediaStore } from '../media/media.store';
import { LifecycleRepository } from '../lifecycle/lifecycle.repository';
import { BroadcastRepository } from './broadcast.repository';
import { BroadcastSteps } from './broadcast.steps';
import { CampaignEnds } from './campaign.ends';
import { campaignBody } from './campaign.content';
import type { CampaignKey, Waiting } from './campaign.types';
import { CONTENT, dataOf, people, startCampaigns, wallClock, type CampaignTest } from './broadcasts.fixture';

let chat: CampaignTest;
beforeAll(async () => {
  chat = await startCampaigns();
});
afterAll(() => chat.stop());

const scheduled = async (range: string, fields: object = {}): Promise<string> =>
  dataOf(
    await chat.send('/v1/broadcast/scheduler', {
      ...{ ...CONTENT, penerima: people(1, range), jadwal: wallClock(60) },
      ...fields,
    }),
  ).broadcastId;
const isDue = (...ids: string[]) =>
  chat.database.query(
    `UPDATE broadcasts SET jadwal = now() - interval '1 second' WHERE store_id || '.' || id = ANY ($1)`,
    [ids],
  );

/** As the timer of another process, with something that happens once it has seen what is due. */
const timer = (repository: BroadcastRepository, queue: (key: CampaignKey) => void = () => undefined) =>
  new BroadcastSteps({
    ...{ database: chat.database, repository, lifecycle: new LifecycleRepository() },
    fill: { queue: async (_, key) => queue(key) },
    ends: new CampaignEnds({
      ...{ database: chat.database, notifications: { notified: () => undefined }, logger: silentLogger },
    }),
  });

describe('the timer of campaigns', () => {
  it('does not start a campaign that was postponed after it was found due', async () => {
    const id = await scheduled('6281');
    await isDue(id);
    class Slow extends BroadcastRepository {
      override async due(...asked: Parameters<BroadcastRepository['due']>): Promise<Waiting[]> {
        const due = await super.due(...asked);
        if (due.length > 0)
          await chat.internal('POST', `/${id}/action`, { store_id: 'S1', aksi: 'schedule', jadwal: wallClock(60) });
        return due;
      }
    }
    expect(await timer(new Slow()).sweep()).toBe(0);
    expect(await chat.campaign(id)).toMatchObject({ status: 'scheduled' });
  });

  it('goes on with the next recipient when the outbox gave up a row without reporting it', async () => {
    const jam_tenang = { from: wallClock(-60).slice(11), to: wallClock(60).slice(11) };
    const id = dataOf(
      await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(2, '6285'), jam_tenang }),
    ).broadcastId;
    await chat.database.query(
      `UPDATE broadcasts b SET body = b.body || '{"jam_tenang":null}', in_flight = 987654321, filled = (SELECT min(r.ord) FROM broadcast_recipients r WHERE r.broadcast_id = b.id)
       WHERE store_id || '.' || id = $1`,
      [id],
    );
    await chat.send('/v1/broadcast/scheduler', {});
    expect(await chat.reaches(id, 'done')).toMatchObject({ valid: 2, terkirim: 1, gagal: 1 });
    expect(chat.numbers().filter((nohp) => nohp.startsWith('6285'))).toEqual(['628500000001']);
  });

  it('reports a campaign that cannot be started, and starts the others', async () => {
    await chat.inbound();
    const [broken, sound] = [await scheduled('6282'), await scheduled('6283')];
    await isDue(broken, sound);
    await chat.database.query(
      `UPDATE broadcasts SET jadwal = jadwal - interval '1 minute', body = jsonb_set(body, '{filter}', '{"last_order_from":"2026-02-30"}') WHERE store_id || '.' || id = $1`,
      [broken],
    );
    await expect(timer(new BroadcastRepository()).sweep()).rejects.toThrow(
      `1 campaigns could not be moved, first ${broken.slice(3)}`,
    );
    expect(await chat.campaign(broken)).toMatchObject({ status: 'scheduled' });
    expect(await chat.campaign(sound)).toMatchObject({ status: 'sending' });
    await chat.database.query(`UPDATE broadcasts SET status = 'cancelled' WHERE store_id || '.' || id = $1`, [broken]);
  });
});

describe('a process whose clock is ten minutes ahead', () => {
  const ahead = () => jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + 10 * 60_000));
  afterEach(() => jest.restoreAllMocks());

  it('begins no campaign before its time', async () => {
    const id = await scheduled('6286', { jadwal: wallClock(5) });
    ahead();
    await timer(new BroadcastRepository()).sweep();
    expect(await chat.campaign(id)).toMatchObject({ status: 'scheduled' });
  });

  it('writes to nobody in quiet hours', async () => {
    const jam_tenang = { from: wallClock(-5).slice(11), to: wallClock(5).slice(11) };
    ahead();
    const fields = { ...CONTENT, penerima: people(1, '6287'), jam_tenang };
    const { broadcastId } = dataOf(await chat.send('/v1/send_broadcast', fields));
    const jobs = () => chat.database.query(`SELECT 1 FROM chat_backend_jobs._private_jobs WHERE key LIKE 'broadcast%'`);
    await until(jobs, (rows) => rows.length === 0);
    expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'sending', terkirim: 0 });
    const [{ taken } = {}] = await chat.database.query<{ taken: boolean }>(
      `SELECT in_flight IS NOT NULL AS taken FROM broadcasts WHERE store_id || '.' || id = $1`,
      [broadcastId],
    );
    expect(taken).toBe(false);
  });
});

describe('the default pace of a campaign', () => {
  it('is no faster than the service allows', async () => {
    const intake = new MediaIntake(new MediaStore(chat.mediaDirectory), { ownFiles: [] });
    const needs = { templates: { find: async () => undefined }, intake, maxPerMinute: 10 };
    expect((await campaignBody(needs, 'S1', CONTENT)).bulk).toEqual({ delay_min: 6, delay_max: 6 });
  });
});

describe('a message of a campaign that the phone echoes before the answer to its send is stored', () => {
  it('is not stored a second time', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    jest.spyOn(chat.gateway.held, 'get').mockReturnValue(held);
    await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(2, '6284') });
    await until(() => chat.numbers().includes('628400000000'));
    const echo = (nohp: string, id: string) =>
      chat.call('/v1/callback_message', {
        body: new URLSearchParams(message({ number: `${nohp}@s.whatsapp.net`, id, fromMe: 'true', text: 'Halo' })),
      });
    expect((await echo('628400000000', 'WA-EARLY')).body).toEqual({
      ...{ result: false, message: 'chat sedang diproses, coba lagi', code: 'chat_busy' },
    });
    expect((await echo('628499999999', 'WA-OTHER')).body).toMatchObject({ result: true });
    release();
  });
});
