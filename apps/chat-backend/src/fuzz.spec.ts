import { FUZZ_CANARY, fuzz, type FuzzIngredients } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { offlineService, SERVICE } from './chat.fixture';
import { FakeBot } from './clients/bot.fake';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';

const REQUESTS = 10_000;
/** Another one finds other requests; a failure names it. */
const SEED = 20_261_121;
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot: new FakeBot(), environment: { DEVICE_POLL_S: '0' } });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'vip'`);
});
afterAll(() => chat.stop());

/** Fits well enough with its neighbours that calls get through. */
const mostly = (text = ''): string[] => Array.from({ length: 12 }, () => text);

/** A new chat with a ticket and a notification, and everything by its name: whatever was broken before, some calls go through. */
const prepare = async (): Promise<FuzzIngredients> => {
  const { tokens, people, database } = chat;
  await chat.call('/internal/sync', {
    token: tokens.tokenFor(SERVICE),
    body: {
      stores: ['S1', 'S2'].map((store_id) => ({ store_id, nama: store_id, updated_at: Date.now() + 2 ** 45 })),
    },
  });
  const refs = [await chat.newChat(), await chat.newChat({ status: 'handle', assignee_id: 'u-rina' })];
  const ticket = uuidv7();
  const service = tokens.tokenFor(SERVICE);
  const body = { store_id: 'S1', nohp: refs[0]?.nohp, judul: 'Retur', isi: 'x' };
  await chat.call(`/internal/tickets/${ticket}`, { method: 'PUT', token: service, body });
  const [note] = await database.query<{ id: string }>(
    `INSERT INTO notifications (store_id, user_id, type, judul) VALUES ('S1', 'u-rina', 'move', 'x') RETURNING store_id || '.' || id AS id`,
  );
  const nohp = refs.map((ref) => ref.nohp);
  const [{ quoted } = {}] = await database.query<{ quoted: string }>(
    'SELECT last_pesan_id AS quoted FROM conversations WHERE nohp = $1',
    [nohp[0]],
  );
  const users = ['u-rina', 'u-siti', 'u-boss', 'u-lain'];
  return {
    tokens: [people.rina, people.rina, people.boss, people.boss, people.bot, people.stranger, service],
    service,
    texts: [...nohp, ...users, 'dev1', '3', 'S1', ticket, 'halo', 'true', '7'],
    fields: {
      nohp: [...mostly(nohp[0]), ...nohp, '081234567890', '120363000000000001@g.us'],
      number: nohp.map((number) => `${number}@s.whatsapp.net`),
      instance: [...mostly('dev1'), 'vip', 'all', 'dev2'],
      instanceID: ['dev1', 'dev1', 'vip'],
      team: [...mostly('3'), 'all', '4'],
      to_team: ['3', '4', '9'],
      chatId: mostly(refs[0]?.chatId),
      customerId: [uuidv7()],
      chatInboxId: refs.map(({ chatId }) => `${chatId}.1`),
      notifId: [note?.id ?? ''],
      ticketId: [`S1.${ticket}`],
      id: [ticket, `S1.${ticket}`, uuidv7(), '1'],
      name: ['0123456789abcdef0123456789abcdef'],
      store_id: ['S1', 'S1', 'S1', 'S2'],
      user_id: users,
      quoteMsg: mostly(quoted),
      url: ['https://127.0.0.1:9/x.jpg'],
      file: [`data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`],
      limit: ['1', '50', '0'],
      offset: ['0', '1', '99999999999999999999'],
      cursor: ['1', 'x.y'],
      timestamp: ['1795157100', '9223372036854775807', '-1', '1795157100000'],
      latitude: ['-6.2'],
      longitude: ['106.8'],
    },
  };
};

it('ten thousand strange requests over every route and variant: no 500, no crash, nothing of them in the log', async () => {
  const { broken, statuses } = await fuzz({
    url: chat.url,
    service: offlineService(),
    seed: SEED,
    requests: REQUESTS,
    prepare,
    tooLarge: 1_000_000,
  });
  expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] });
  const unexpected = chat.log.filter((line) => line.includes('request failed unexpectedly'));
  expect(unexpected.slice(0, 3)).toEqual([]);
  expect((await chat.call('/ready')).body).toEqual({ ready: true });
  // Requests of every fate, or the generator would prove little
  for (const status of [200, 400, 401, 404, 422]) expect([...statuses]).toContain(status);
  // Far below what they do: how many of sixteen at a time find their chat as they need it depends on the machine
  const [done] = await chat.database.query<{ sends: number; changes: number; tickets: number }>(
    `SELECT (SELECT count(*)::int FROM messages WHERE from_me) AS sends,
      (SELECT count(*)::int FROM chat_histories WHERE event <> 'created') AS changes,
      (SELECT count(*)::int FROM ticket_histories WHERE event <> 'created') AS tickets`,
  );
  for (const [kind, least] of [
    ['sends', 20],
    ['changes', 40],
    ['tickets', 10],
  ] as const)
    expect([kind, done, (done?.[kind] ?? 0) >= least]).toEqual([kind, done, true]);
  const routed = chat.log.filter((line) => line.includes('"message":"request"'));
  expect(routed.length).toBeGreaterThan(REQUESTS * 0.9);
  expect(chat.log.filter((line) => line.includes(FUZZ_CANARY)).slice(0, 3)).toEqual([]);
});
