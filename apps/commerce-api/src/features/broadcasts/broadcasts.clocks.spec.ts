// A process whose clock is off schedules broadcasts, and changes those that are scheduled.
import { Conflict } from '@platform/errors';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { newStore, NOW, useCommerce } from '../../commerce.fixture';
import { jobQueue } from '../../jobs';
import { BroadcastSending } from './broadcast.sending';
import { BroadcastsService } from './broadcasts.service';

const HOUR_MS = 3_600_000;
const commerce = useCommerce();
const isOff = (hours: number) => {
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + hours * HOUR_MS);
};
afterEach(() => jest.restoreAllMocks());

/** One that begins tomorrow. */
const scheduled = async () => {
  const [storeId, id, device_id] = [await newStore(commerce), uuidv7(), uuidv7()];
  const team = `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
    VALUES ($1, 'CS1', 'CS', 'cs', false, 'manual', now(), now())`;
  await commerce.database.query(team, [storeId]);
  const device = `INSERT INTO device (store_id, id, instance_id, name, chat_team_id, created_at, updated_at)
    VALUES ($1, $2, $3, 'WA', 'CS1', now(), now())`;
  await commerce.database.query(device, [storeId, device_id, `dev-${device_id}`]);
  const schedule_at = new Date(Date.now() + 24 * HOUR_MS).toISOString();
  const meta = { device_id, audience: { all: true }, message: { text: 'Halo' }, schedule_at, rate_per_minute: 60 };
  return { storeId, id, campaign: { nama: 'Promo', status: 'scheduled', meta } };
};

it.each([-48, 48])('one that begins tomorrow is begun at once by no process that is %i hours off', async (hours) => {
  const { storeId, id, campaign } = await scheduled();
  const steps: string[] = [];
  const chat = {
    fill: async () => campaign,
    act: async (_storeId: string, _id: string, { aksi }: { readonly aksi: string }) => void steps.push(aksi),
  };
  const sending = new BroadcastSending({ database: commerce.app.database, chat: chat as never, logger: silentLogger });
  const context = { attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
  isOff(hours);
  await sending.run({ storeId, id, asked: NOW, actor: 'u1' }, context);
  expect(steps).toEqual(['schedule']);
});

it('one that is changed is not put in again while its change is on the way, also by a process that is an hour behind', async () => {
  const { storeId, id, campaign } = await scheduled();
  const job = `SELECT run_at > now() AS waits FROM commerce_api_jobs._private_jobs WHERE key = 'broadcast-again:' || $1 || ':' || $2`;
  let meanwhile: unknown[] = [];
  const save = async () => {
    meanwhile = await commerce.database.query(job, [storeId, id]);
    throw new Conflict('It has begun', { code: 'broadcast_started' });
  };
  const meta = { ...campaign.meta, audience: { contact_ids: [uuidv7()] } };
  const chat = { get: async () => ({ ...campaign, meta }), save } as never;
  const { database } = commerce.app;
  const broadcasts = new BroadcastsService({
    database,
    queue: jobQueue(),
    chat,
    files: { forMessage: async () => null } as never,
  });
  const at = commerce.clock.now();
  const by = {
    storeId,
    actor: 'u1',
    at,
    audit: { tenantId: storeId, actor: { id: 'u1', name: 'Sari', kind: 'user' }, at },
  };
  isOff(-1);
  const changed = broadcasts.change(by as never, id, { audience: { all: true } });
  await expect(changed).rejects.toMatchObject({ code: 'invalid_transition' });
  expect(meanwhile).toEqual([{ waits: true }]);
});
