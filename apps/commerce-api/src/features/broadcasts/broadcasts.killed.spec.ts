// chat-backend itself and processes of this service, which are killed: everybody gets a broadcast once.
import { environment, uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { refused } from '../../asked.fixture';
import { startSwallowing } from '../../faces.fixture';
import type { AudiencePreview } from './audience.dto';
import { startBroadcastsWorld } from './broadcasts.fixture';
import type { Broadcast, BroadcastRecipient } from './broadcasts.dto';

const WANTED = 1_000;
const UNWANTED = 50;
const FEW = 100;
const SOME = 20;

const { REDIS_URL } = environment;
/** Each message of a broadcast waits for the one before: all of them once, over Redis where there is one. */
const settings: [string, Record<string, string>, wanted: number][] = REDIS_URL
  ? [
      ['with Redis', { REDIS_URL }, WANTED],
      ['without Redis', {}, FEW],
    ]
  : [['without Redis', {}, WANTED]];
if (!REDIS_URL) process.stderr.write('REDIS_URL is not set: broadcasts were killed without Redis only.\n');

describe.each(settings)('%s', (_, redis, wanted) => {
  const world = useRunning(() => startBroadcastsWorld(redis));
  const reached = () => [...world.gateway.ids.keys()].map((to) => to.replace(/@.*/, '')).sort();

  const numbers = Array.from({ length: wanted }, (_one, n) => `6281${String(n + 1).padStart(8, '0')}`);
  const message = { text: 'Halo {{name}}, dari {{city}}' };
  let shop: Awaited<ReturnType<typeof world.store>>;
  let id: string;
  const shown = async (which: string) => (await shop.ask<Broadcast>('GET', `/broadcast/${which}`)).body.data;
  const broadcast = () => shown(id);
  beforeAll(async () => {
    shop = await world.store();
    await shop.people('6281', wanted, UNWANTED);
  });

  it('a broadcast to all is to whom the preview has told, and is started once, whoever is killed on the way', async () => {
    const { ask, device_id } = shop;
    const audience = { all: true };
    const told = (await ask<AudiencePreview>('POST', '/broadcast/preview-audience', { audience })).body.data;
    expect(told).toMatchObject({ count: wanted, blocked: UNWANTED, opted_out: UNWANTED, invalid: 0 });
    const body = { name: 'Promo', device_id, audience, message };
    ({ id } = (await ask<Broadcast>('POST', '/broadcast', body, uuidv7())).body.data);

    // Killed when the recipients are in, and nobody has heard of the start
    const doomed = await world.worker(world.withholding.url);
    expect((await ask('POST', `/broadcast/${id}/send`, {})).status).toBe(200);
    await until(() => world.withholding.withheld.length > 0);
    await doomed.stop('SIGKILL');
    expect(await broadcast()).toMatchObject({
      status: 'draft',
      starting: true,
      counts: { total: wanted, pending: wanted },
    });
    const already = refused(409, 'invalid_transition', 'The broadcast is in another state');
    expect([
      await ask('POST', `/broadcast/${id}/send`, {}),
      await ask('PUT', `/broadcast/${id}`, { name: 'X' }),
    ]).toEqual([already, already]);

    // Killed when it was started there, and the answer has not come
    const swallowing = await startSwallowing(world.chat.url, (_method, url) => url.endsWith('/action'));
    const next = await world.worker(swallowing.url);
    await until(() => swallowing.swallowed.length > 0);
    await next.stop('SIGKILL');
    swallowing.stop();

    // Two of them find what was left
    await Promise.all([world.worker(), world.worker()]);
    await until(broadcast, ({ status, starting }) => status !== 'draft' && !starting);
    expect(await world.counted(shop.storeId)).toBe(1);
  });

  it(`reaches each of ${wanted} once, though chat-backend is killed while it sends`, async () => {
    for (const share of [1, 2, 3]) {
      await until(() => world.gateway.ids.size >= (share * wanted) / 4);
      await world.chat.kill();
      await world.chat.restart();
    }
    const end = await until(broadcast, ({ status }) => status === 'done');
    expect(reached()).toEqual(numbers);
    expect([...world.gateway.ids.values()].filter((ids) => ids.size > 1)).toEqual([]);
    expect(end).toMatchObject({ counts: { total: wanted, pending: 0, sent: wanted, failed: 0, skipped: 0 } });
    expect(await world.counted(shop.storeId)).toBe(1);
    const first = (await shop.ask<BroadcastRecipient[]>('GET', `/broadcast/${id}/recipients?limit=1`)).body;
    expect(first.data[0]).toMatchObject({ status: 'sent', error: null });
  });

  it('leaves out whoever has written STOP there, although nobody here knows it', async () => {
    const { ask, device_id, contacts, stops } = shop;
    await stops('628100000001');
    world.gateway.ids.clear();
    const audience = { contact_ids: await contacts('6281', SOME) };
    const some = { name: 'Lagi', device_id, audience, message };
    const again = (await ask<Broadcast>('POST', '/broadcast', some)).body.data.id;
    await ask('POST', `/broadcast/${again}/send`, {});
    const last = await until(
      () => shown(again),
      ({ status }) => status === 'done',
    );
    expect(last).toMatchObject({ counts: { total: SOME, sent: SOME - 1, skipped: 1, failed: 0 } });
    expect(reached()).toEqual(numbers.slice(1, SOME));
  });
});
