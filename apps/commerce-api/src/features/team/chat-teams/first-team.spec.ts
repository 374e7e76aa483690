// Whoever writes to a device of a store has a team that takes the chat.
import { until, useRunning } from '@platform/testing';
import { askOf, refused, succeeded } from '../../../asked.fixture';
import { startFakeChat } from '../../../clients/chat.sync.fake';
import { startFakeGateway } from '../../../clients/wa.gateway.fake';
import { demoShop, newStore, startCommerce } from '../../../commerce.fixture';
import { JOBS_SCHEMA, jobQueue } from '../../../jobs';
import type { Device } from '../../devices/devices.dto';
import type { ChatTeam, ChatTeamRow } from './chat-teams.dto';

const gateway = useRunning(startFakeGateway);
const chat = useRunning(startFakeChat);
const commerce = useRunning(() =>
  startCommerce({ CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url }, new Date().toISOString()),
);

const OWNER = demoShop.owner.user_id;
const shop = async () => {
  const storeId = await newStore(commerce);
  await commerce.database.query(`INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'devices', 0, 3)`, [
    storeId,
  ]);
  const ask = askOf(commerce)(storeId);
  const add = async () => (await ask<Device>('POST', '/device', { name: 'Toko WA' })).status;
  const teams = async () => (await ask<ChatTeamRow[]>('GET', '/team_chat')).body.data;
  const team = async (name: string, kind = 'cs') =>
    (await ask<ChatTeamRow>('POST', '/team_chat', { name, kind })).body.data;
  return { storeId, ask, add, teams, team };
};
const WITH_DEVICE = `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at)
  VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, 'WA', now(), now())`;
const WAITING = `SELECT 1 FROM ${JOBS_SCHEMA}.jobs WHERE task_identifier = 'team.first'`;
const KEPT = 'The last team that serves customers stays as long as the store has devices';

describe('a store without a team that serves customers', () => {
  it('gets one with its first device, its owner in it, which chat-backend hears of before the device', async () => {
    const { storeId, ask, add, teams, team } = await shop();
    await team('Gudang', 'gudang');
    expect(await Promise.all([add(), add()])).toEqual([201, 201]);
    const [first, ...others] = (await teams()).filter(({ kind }) => kind === 'cs');
    expect([first, others]).toEqual([
      { id: first?.id, name: 'CS', kind: 'cs', private: true, distribution: 'manual', hours: null },
      [],
    ]);
    const { members } = (await ask<ChatTeam>('GET', `/team_chat/${first?.id}`)).body.data;
    expect(members.map(({ user_id }) => user_id)).toEqual([OWNER]);
    const copies = chat.copies(storeId);
    const at = (found: (row: Record<string, unknown>) => boolean) => copies.findIndex(found);
    const seat = await until(async () => chat.copies(storeId).find((row) => row.team_id === first?.id));
    expect(seat).toMatchObject({ user_id: OWNER });
    const told = at((row) => row.id === first?.id);
    expect([told >= 0, told < at((row) => 'instance' in row)]).toEqual([true, true]);
  });

  it('and with devices of a release before is given one by the job, once', async () => {
    const [old, none] = [await shop(), await shop()];
    await commerce.database.query(WITH_DEVICE, [old.storeId]);
    for (let times = 0; times < 2; times++) {
      await commerce.database.tx((tx) => jobQueue().enqueue(tx, 'team.first', {}, { key: 'heal' }));
      await until(async () => (await commerce.database.query(WAITING)).length === 0);
    }
    expect(await old.teams()).toMatchObject([{ name: 'CS', kind: 'cs' }]);
    expect(await none.teams()).toEqual([]);
    await until(async () => chat.copies(old.storeId).some((row) => row.nama === 'CS'));
  });
});

it('a store that cannot be given one keeps no other waiting for theirs', async () => {
  const [full, other] = [await shop(), await shop()].toSorted((one, two) => (one.storeId < two.storeId ? -1 : 1));
  if (!full || !other) throw new Error('two shops');
  for (const { storeId } of [full, other]) await commerce.database.query(WITH_DEVICE, [storeId]);
  await commerce.database.query(
    `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'Gudang ' || n, 'gudang', true, 'manual', now(), now() FROM generate_series(1, 100) n`,
    [full.storeId],
  );
  await commerce.database.tx((tx) => jobQueue().enqueue(tx, 'team.first', {}, { key: 'heal', maxAttempts: 1 }));
  await until(async () => (await commerce.database.query(`${WAITING} AND last_error IS NULL`)).length === 0);
  expect(await other.teams()).toMatchObject([{ name: 'CS', kind: 'cs' }]);
  expect(await commerce.database.query(`${WAITING} AND last_error LIKE '%at most 100 chat teams%'`)).toHaveLength(1);
});

describe('the last team that serves customers', () => {
  it('is neither deleted nor given another task while the store has devices, and is when there is another one', async () => {
    const { storeId, ask, team } = await shop();
    const { id } = await team('CS');
    await team('Gudang', 'gudang');
    await commerce.database.query(WITH_DEVICE, [storeId]);
    const kept = refused(409, 'last_cs_team', KEPT);
    expect(await ask('DELETE', `/team_chat/${id}`)).toEqual(kept);
    expect(await ask('PUT', `/team_chat/${id}`, { kind: 'supervisor' })).toEqual(kept);
    expect((await ask('PUT', `/team_chat/${id}`, { name: 'Layanan' })).status).toBe(200);
    const other = await team('Kedua');
    expect((await ask('PUT', `/team_chat/${id}`, { kind: 'supervisor' })).status).toBe(200);
    expect(await ask('DELETE', `/team_chat/${id}`)).toEqual(succeeded(200, 'Chat team deleted', null));
    expect(await ask('DELETE', `/team_chat/${other.id}`)).toEqual(kept);
  });

  it('is deleted in a store without devices', async () => {
    const { ask, team } = await shop();
    const { id } = await team('CS');
    expect((await ask('DELETE', `/team_chat/${id}`)).status).toBe(200);
  });
});
