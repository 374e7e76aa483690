import { expectNoSeqScan, explain, until, useRunning } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { askOf, auditedIn, notHere, refused, succeeded } from '../../asked.fixture';
import { newStore, startCommerce } from '../../commerce.fixture';
import { startFakeAgents } from '../../clients/bot.agents.fake';
import { startFakeChat } from '../../clients/chat.sync.fake';
import { startFakeGateway } from '../../clients/wa.gateway.fake';
import { startSecondProcess } from '../../second-process.fixture';
import type { ChatTeamRow } from '../team/chat-teams/chat-teams.dto';
import { connectedLine, isLoggedOut, LINES } from './device.lines';
import { DeviceStates } from './device.states';
import type { Device } from './devices.dto';
import { OF_TEAMS } from './devices.sql';

const gateway = useRunning(startFakeGateway);
const chat = useRunning(startFakeChat);
const bot = useRunning(startFakeAgents);
const commerce = useRunning(() =>
  startCommerce({ CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url, BOT_URL: bot.url }, new Date().toISOString()),
);
beforeEach(() => {
  gateway.state.mood = 'answer';
  bot.state.mood = 'answer';
  bot.agents.add('A1');
  gateway.state.asked.length = 0;
  chat.state.mood = 'answer';
});

const shop = async (allowed = 3) => {
  const storeId = await newStore(commerce);
  await commerce.database.query(
    `INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'devices', 0, $2)`,
    [storeId, allowed],
  );
  const ask = askOf(commerce)(storeId);
  const add = async (more: object = {}) =>
    (await ask<Device>('POST', '/device', { name: 'Toko WA', ...more })).body.data;
  return { storeId, ask, add };
};
const usedOf = async (storeId: string) => {
  const [row] = await commerce.database.query<{ used: number }>(
    `SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'devices'`,
    [storeId],
  );
  return row?.used;
};
/** Ten seconds later what was known of devices is asked again. */
const later = () => commerce.clock.advance(10_000);
const told = (storeId: string, instance: string) =>
  until(async () => chat.copies(storeId).findLast((row) => row.instance === instance));

describe('a device', () => {
  it('is a row, a copy at chat-backend and a session, and waits for its phone', async () => {
    const { ask, add, storeId } = await shop();
    const device = await add();
    const instance_id = `dev-${device.id}`;
    const shown = {
      ...{ id: device.id, instance_id, name: 'Toko WA', number: null, chat_team_id: null, bot_agent_id: null },
      ...{ connected_at: null, last_seen_at: null },
    };
    expect(device).toEqual({ ...shown, status: 'unknown' });
    expect(await ask('GET', `/device/${device.id}`)).toEqual(succeeded(200, 'OK', { ...shown, status: 'qr' }));
    expect(await told(storeId, instance_id)).toMatchObject({ instance: instance_id, nama: 'Toko WA' });
    expect(gateway.sessions.get(instance_id)).toEqual({ status: 'qr', number: null, name: 'Toko WA' });
  });

  it('has a code until its phone has scanned it, and then the number, which chat-backend hears', async () => {
    const { ask, add, storeId } = await shop();
    const { id, instance_id } = await add();
    const code = { qrcode: 'data:image/png;base64,iVBORw0KGgo=', attempt: 1, expires_at: '2026-03-01T08:00:20.000Z' };
    expect(await ask('GET', `/device/${id}/qrcode`)).toEqual(succeeded(200, 'OK', code));
    gateway.state.mood = 'no-code';
    const notReady = refused(409, 'qrcode_not_ready', 'There is no code yet: ask again');
    expect(await ask('GET', `/device/${id}/qrcode`)).toEqual(notReady);
    await gateway.scan(instance_id, '628120000001');
    const connected = refused(409, 'device_already_connected', 'The device is connected already');
    expect(await ask('GET', `/device/${id}/qrcode`)).toEqual(connected);
    expect((await ask<{ number: string }>('GET', `/device/${id}/status`)).body.data).toMatchObject({
      ...{ instanceID: instance_id, status: 'connected', number: '628120000001' },
    });
    const numbered = await until(
      () => told(storeId, instance_id),
      (row) => row?.nohp === '628120000001',
    );
    expect(numbered).toMatchObject({ instance: instance_id, nohp: '628120000001' });
  });

  it('is shown by one call of the gateway for all who ask within ten seconds, and without it as unknown', async () => {
    const { ask, add } = await shop();
    await add();
    await Promise.all(Array.from({ length: 10 }, () => ask('GET', '/device')));
    const asked = gateway.state.asked.filter((path) => path === '/api/device-info').length;
    expect(asked).toBe(1);
    later();
    gateway.state.mood = 'down';
    const [shown] = (await ask<Device[]>('GET', '/device')).body.data;
    expect(shown?.status).toBe('unknown');
    gateway.state.mood = 'answer';
    later();
    const [again] = (await ask<Device[]>('GET', '/device')).body.data;
    expect(again?.status).toBe('qr');
  });

  it('is given a name, a team and an agent, which chat-backend hears, and loses them by null', async () => {
    const { ask, add, storeId } = await shop();
    const { id, instance_id } = await add();
    const team = (await ask<ChatTeamRow>('POST', '/team_chat', { name: 'CS' })).body.data;
    const change = { name: 'Kasir', chat_team_id: team.id, bot_agent_id: 'A1' };
    expect((await ask<Device>('PUT', `/device/${id}`, change)).body.data).toMatchObject(change);
    const copy = await until(
      () => told(storeId, instance_id),
      (row) => row?.nama === 'Kasir',
    );
    expect(copy).toMatchObject({ default_team_id: team.id, bot_agent_id: 'A1' });
    const cleared = { chat_team_id: null, bot_agent_id: null };
    expect((await ask<Device>('PUT', `/device/${id}`, cleared)).body.data).toMatchObject(cleared);
    const nobodys = uuidv7();
    expect(await ask('PUT', `/device/${id}`, { chat_team_id: nobodys })).toEqual(
      notHere('chat_team_id', 'is not a chat team of this store'),
    );
    expect((await auditedIn(commerce, storeId)).filter((line) => line.includes('device'))).toEqual([
      'device.write device: bot_agent_id, chat_team_id, id, instance_id, name, number',
      'device.write device: bot_agent_id, chat_team_id, name',
      'device.write device: bot_agent_id, chat_team_id',
    ]);
  });

  it('is answered by no agent that bot-engine has not, and by no other one while that does not tell', async () => {
    const { ask, add } = await shop();
    const { id } = await add();
    const choose = (bot_agent_id: string, more: object = {}) => ask('PUT', `/device/${id}`, { bot_agent_id, ...more });
    expect(await choose('NOBODY')).toEqual(notHere('bot_agent_id', 'is not an AI agent of this store'));
    expect((await choose('A1')).status).toBe(200);
    bot.agents.add('A2');
    bot.state.mood = 'down';
    expect((await choose('A2')).body.code).toBe('provider_error');
    expect((await choose('A1', { name: 'Kasir' })).body.data).toMatchObject({ bot_agent_id: 'A1', name: 'Kasir' });
  });

  it('loses the agent that is released, and no other, which chat-backend hears', async () => {
    const { ask, add, storeId } = await shop();
    bot.agents.add('A2');
    const [first, second] = [await add({ name: 'Satu' }), await add({ name: 'Dua' })];
    await ask('PUT', `/device/${first.id}`, { bot_agent_id: 'A1' });
    await ask('PUT', `/device/${second.id}`, { bot_agent_id: 'A2' });
    await until(
      () => told(storeId, second.instance_id),
      (row) => row?.bot_agent_id === 'A2',
    );
    expect((await ask('DELETE', '/agent/A1')).status).toBe(200);
    const freed = await until(
      () => told(storeId, first.instance_id),
      (row) => row?.bot_agent_id === undefined,
    );
    expect(freed).toMatchObject({ nama: 'Satu' });
    const agents = (await ask<Device[]>('GET', '/device?sort=name')).body.data.map((row) => row.bot_agent_id);
    expect(agents).toEqual(['A2', null]);
  });

  it('loses an agent that was deleted while it was chosen, and so does the welcome', async () => {
    const { ask, add, storeId } = await shop();
    const { id } = await add();
    const choose: [string, object][] = [
      [`/device/${id}`, { bot_agent_id: 'A9' }],
      ['/botwelcome', { text: 'Halo', agent_id: 'A9' }],
    ];
    bot.state.leaving.add('A9');
    const chosen = async () => [
      (await ask<Device>('GET', `/device/${id}`)).body.data.bot_agent_id,
      (await ask<{ agent_id: string | null }>('GET', '/botwelcome')).body.data.agent_id,
    ];
    for (const [path, body] of choose) {
      bot.agents.add('A9');
      expect((await ask('PUT', path, body)).status).toBe(200);
      await until(chosen, (ids) => ids.every((each) => each === null));
    }
    expect(await usedOf(storeId)).toBe(1);
  });

  it('is known at chat-backend before its session is made, or is not made at all', async () => {
    const { ask, storeId } = await shop();
    chat.state.mood = 'down';
    expect((await ask('POST', '/device', { name: 'WA' })).body.code).toBe('provider_error');
    chat.state.mood = 'answer';
    expect(gateway.state.asked).not.toContain('/api/new');
    expect([await usedOf(storeId), (await ask<Device[]>('GET', '/device')).body.data]).toEqual([0, []]);
    gateway.state.mood = 'hang';
    const asked = ask('POST', '/device', { name: 'WA' });
    await until(
      async () => gateway.state.asked,
      (paths) => paths.includes('/api/new'),
    );
    expect(chat.copies(storeId).filter((row) => row.nama === 'WA' && !row.deleted)).toHaveLength(1);
    expect((await asked).body.code).toBe('provider_timeout');
  });

  it('is logged out before it is removed, and stays while the gateway does not do that', async () => {
    const { ask, add, storeId } = await shop();
    const { id, instance_id } = await add();
    gateway.state.mood = 'down';
    expect((await ask('DELETE', `/device/${id}`)).status).toBe(502);
    expect(await usedOf(storeId)).toBe(1);
    gateway.state.mood = 'answer';
    expect(await ask('POST', `/device/${id}/logout`)).toEqual(succeeded(200, 'Device updated', null));
    expect(await ask('DELETE', `/device/${id}`)).toEqual(succeeded(200, 'Device deleted', null));
    expect(gateway.sessions.get(instance_id)?.status).toBe('logged_out');
    expect([await usedOf(storeId), (await ask('GET', `/device/${id}`)).status]).toEqual([0, 404]);
    expect((await ask('DELETE', `/device/${id}`)).status).toBe(404);
    expect(await usedOf(storeId)).toBe(0);
  });

  it('whose session was never made gets it from whoever asks for its code, once', async () => {
    const { ask, add, storeId } = await shop();
    const { id, instance_id } = await add();
    gateway.sessions.delete(instance_id);
    const codes = await Promise.all(Array.from({ length: 5 }, () => ask('GET', `/device/${id}/qrcode`)));
    expect(codes.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([...gateway.sessions.keys()].filter((key) => key === instance_id)).toHaveLength(1);
    expect(await usedOf(storeId)).toBe(1);
  });
});

describe('places of the plan', () => {
  it('are no more than it has, whoever comes at once, in two processes', async () => {
    const { storeId, ask } = await shop(3);
    const second = await startSecondProcess(commerce, { CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url });
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const there = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'WA' });
      return (await fetch(`${second.url}/api/device`, { method: 'POST', headers, body })).status;
    };
    const here = async () => (await ask('POST', '/device', { name: 'WA' })).status;
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? here() : there())));
    await second.stop();
    expect(statuses.toSorted()).toEqual([...Array(3).fill(201), ...Array(17).fill(402)]);
    expect([await usedOf(storeId), (await ask<Device[]>('GET', '/device')).body.data.length]).toEqual([3, 3]);
  });

  it.each(['down', 'refuse'] as const)(
    'are free again when the gateway does %s, and there is no device',
    async (mood) => {
      const { storeId, ask } = await shop();
      gateway.state.mood = mood;
      expect((await ask('POST', '/device', { name: 'WA' })).body.code).toBe('provider_error');
      expect([await usedOf(storeId), (await ask<Device[]>('GET', '/device')).body.data]).toEqual([0, []]);
    },
  );
});

it('a session that may have been made while the gateway hung is ended by a job', async () => {
  const { storeId, ask } = await shop();
  gateway.state.mood = 'hang';
  expect((await ask('POST', '/device', { name: 'WA' })).body.code).toBe('provider_timeout');
  expect(await usedOf(storeId)).toBe(0);
  gateway.state.mood = 'answer';
  gateway.state.asked.length = 0;
  await until(
    async () => {
      await commerce.database.query(
        'UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE locked_at IS NULL',
      );
      return gateway.state.asked;
    },
    (asked) => asked.includes('/api/logout'),
  );
  expect(gateway.state.asked).toContain('/api/logout');
});

it('who has not written is written to by the oldest connected device, as a chat of its team', async () => {
  const { ask, add, storeId } = await shop();
  const lineOf = connectedLine(
    commerce.database,
    new DeviceStates(
      { device: async (instanceID) => ({ instanceID, ...gateway.sessions.get(instanceID) }) as never },
      commerce.clock,
    ),
  );
  const [first, second] = [await add(), await add()];
  const [team] = (await ask<ChatTeamRow[]>('GET', '/team_chat')).body.data;
  expect(await lineOf(storeId)).toBeUndefined();
  await gateway.scan(second.instance_id, '628120000002');
  later();
  expect(await lineOf(storeId)).toEqual({ instance: second.instance_id, team: team?.id });
  await gateway.scan(first.instance_id, '628120000001');
  later();
  expect(await lineOf(storeId)).toEqual({ instance: first.instance_id, team: team?.id });
});

it.each([
  ['logged_out', true],
  ['connecting', false],
  ['connected', false],
  ['none', true],
  ['unknown', false],
])('a device that is %s counts as logged out: %s', async (status, expected) => {
  const states = {
    of: async (instances: readonly string[]) =>
      new Map(
        status === 'unknown' ? [] : instances.map((each) => [each, status === 'none' ? null : { status }]),
      ) as never,
  };
  expect(await isLoggedOut(states)('dev1')).toBe(expected);
});

it.each([
  ['lines of a store', LINES, ['S1']],
  ['devices of teams', OF_TEAMS, ['S1', ['T1', 'T2']]],
])('the %s are found by an index', async (_, statement, values) =>
  expectNoSeqScan(await explain(commerce.database, statement, values)),
);
