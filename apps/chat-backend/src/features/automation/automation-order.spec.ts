import { until } from '@platform/testing';
import { FakeBot } from '../../clients/bot.fake';
import type { CommerceClient, Contact } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';

const bot = new FakeBot();
const contacts: Contact[] = [];
const failures: Error[] = [];
const commerce: CommerceClient = {
  ...takingCommerce,
  pushContact: async (contact) => {
    const failure = failures.shift();
    if (failure) throw failure;
    contacts.push(contact);
    return true;
  },
};

let chat: Chat;
const ROW = { store_id: 'S1', updated_at: 1 };
const push = (body: object) => chat.post('/internal/sync', body, { token: chat.tokens.tokenFor(SERVICE) });

beforeAll(async () => {
  chat = await startChat({ bot, commerce, environment: { COMMERCE_URL: 'http://127.0.0.1:9' } });
  await push({
    welcomes: [{ ...ROW, enabled: true, text: 'Selamat datang', once_per_hours: 24 }],
    devices: [
      { ...ROW, instance: 'dev1', default_team_id: '3', bot_agent_id: 'A1' },
      { ...ROW, instance: 'plain', default_team_id: '5' },
    ],
    rules: [
      { ...ROW, id: 'late', position: 2, match: 'contains', keywords: ['ongkir'], reply: { text: 'kalah' } },
      {
        ...ROW,
        id: 'first',
        position: 1,
        match: 'contains',
        keywords: ['ongkir'],
        reply: { text: 'Ongkir 10rb', url: 'https://toko.example/o' },
      },
      {
        ...ROW,
        id: 'other',
        position: 0,
        match: 'exact',
        keywords: ['halo'],
        reply: { text: 'bukan di sini' },
        instances: ['vip'],
      },
    ],
    teams: [{ ...ROW, id: '5', nama: 'Bagi', distribution: 'round_robin' }],
    users: [
      { ...ROW, user_id: 'u-a', nama: 'A' },
      { ...ROW, user_id: 'u-b', nama: 'B' },
      { ...ROW, user_id: 'u-c', nama: 'C', aktif: false },
    ],
    team_members: ['u-a', 'u-b', 'u-c'].map((user_id) => ({ ...ROW, team_id: '5', user_id })),
  });
});
afterAll(() => chat.stop());

const conversation = (nohp: string) =>
  chat.database.query<{ pesan: string; role: string; pesan_id: string }>(
    `SELECT m.pesan, m.role, m.pesan_id FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 ORDER BY m.seq`,
    [nohp],
  );
const texts = async (nohp: string, count: number) =>
  (
    await until(
      () => conversation(nohp),
      (rows) => rows.length >= count,
    )
  ).map(({ pesan }) => pesan);
/** Waits until no job can still write anything. */
const settled = () =>
  until(
    async () =>
      (
        await chat.database.query(
          `SELECT 1 FROM chat_backend_jobs.jobs WHERE task_identifier IN ('automation', 'bot.ask')`,
        )
      ).length === 0,
  );
const say = (nohp: string, text: string, more = {}) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, text, ...more });

describe('an inbound message', () => {
  it('that begins an episode gets the welcome text and nothing else, even where a rule fits', async () => {
    await say('628100000001', 'berapa ongkir?');
    expect(await texts('628100000001', 2)).toEqual(['berapa ongkir?', 'Selamat datang']);
    await settled();
    expect(await conversation('628100000001')).toHaveLength(2);
    expect((await conversation('628100000001'))[1]).toMatchObject({
      role: 'bot',
      pesan_id: expect.stringMatching(/^[0-9a-f-]{14}5/),
    });
    await until(() => chat.gateway.calls.some((call) => 'text' in call && call.text === 'Selamat datang'));
  });

  it('that fits a rule gets the reply of the first one, and the bot is not asked', async () => {
    const before = bot.questions.length;
    await say('628100000001', 'ONGKIR  dong');
    expect((await texts('628100000001', 4)).slice(2)).toEqual(['ONGKIR  dong', 'Ongkir 10rb\nhttps://toko.example/o']);
    await settled();
    expect(bot.questions).toHaveLength(before);
  });

  it('goes to the bot otherwise; rules of another device are not its own', async () => {
    await say('628100000001', 'halo');
    expect((await texts('628100000001', 6)).slice(4)).toEqual(['halo', 'jawab halo']);
  });

  it('is greeted again only after once_per_hours, and with each new episode then', async () => {
    const finish = `UPDATE conversations SET status = 3, welcomed_at = welcomed_at - $2::interval WHERE nohp = $1`;
    await chat.database.query(finish, ['628100000001', '1 hour']);
    await say('628100000001', 'lagi');
    expect((await texts('628100000001', 8)).at(-1)).toBe('jawab lagi');
    await chat.database.query(finish, ['628100000001', '24 hours']);
    await say('628100000001', 'besok');
    expect((await texts('628100000001', 10)).at(-1)).toBe('Selamat datang');
  });

  it('is answered once when its job runs again', async () => {
    const [first] = await conversation('628100000001');
    await chat.database.query(
      `UPDATE conversations SET turned_seq = 1, turned_from = NULL WHERE nohp = '628100000001'`,
    );
    await chat.database.query(
      `SELECT chat_backend_jobs.add_job('automation', json_build_object('storeId', store_id, 'conversationId', conversation_id, 'seq', seq)) FROM messages WHERE pesan_id = $1`,
      [first?.pesan_id],
    );
    await settled();
    expect(await conversation('628100000001')).toHaveLength(10);
  });

  it('twenty at once into a new chat are each answered once, one of them with the welcome text', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => say('628100000002', `q${index}`)));
    const all = await texts('628100000002', 40);
    expect(all.filter((text) => text === 'Selamat datang')).toHaveLength(1);
    expect(all.filter((text) => text.startsWith('jawab'))).toHaveLength(19);
    await settled();
    expect(await conversation('628100000002')).toHaveLength(40);
  });
});

describe('a team that distributes', () => {
  const owner = async (nohp: string) => {
    const [row] = await until(
      () =>
        chat.database.query<{ assignee_id: string | null; status: number }>(
          'SELECT assignee_id, status FROM conversations WHERE nohp = $1',
          [nohp],
        ),
      ([found]) => found?.assignee_id != null,
    );
    return row;
  };
  beforeAll(() => push({ welcomes: [{ ...ROW, updated_at: 2, enabled: false }] }));

  it('hands chats to its active members in turn, with history and notification', async () => {
    const owners: (string | null | undefined)[] = [];
    for (const index of [1, 2, 3, 4]) {
      await say(`62820000000${index}`, 'halo', { instanceID: 'plain' });
      const row = await owner(`62820000000${index}`);
      expect(row?.status).toBe(1);
      owners.push(row?.assignee_id);
    }
    expect(owners).toEqual(['u-a', 'u-b', 'u-a', 'u-b']);
    expect(
      await chat.database.query(
        `SELECT h.event, h.user_to, n.type, n.user_id, n.judul FROM conversations c JOIN chat_histories h ON h.conversation_id = c.id AND h.event = 'assign'
         JOIN notifications n ON n.conversation_id = c.id AND n.type = 'assign' WHERE c.nohp = '628200000001'`,
      ),
    ).toEqual([
      { event: 'assign', user_to: 'u-a', type: 'assign', user_id: 'u-a', judul: 'Chat ditugaskan kepada Anda' },
    ]);
  });

  it('hands out ten simultaneous chats evenly, and none twice', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => say(`62821000000${index}`, 'halo', { instanceID: 'plain' })),
    );
    const counts = await until(
      () =>
        chat.database.query(
          `SELECT assignee_id AS user, count(*)::int AS n FROM conversations WHERE nohp LIKE '62821%' AND assignee_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
        ),
      (rows) => rows.reduce((sum, { n }) => sum + Number(n), 0) === 10,
    );
    expect(counts).toEqual([
      { user: 'u-a', n: 5 },
      { user: 'u-b', n: 5 },
    ]);
  });

  it('prefers the least busy member when it is set to least_busy', async () => {
    await push({ teams: [{ ...ROW, id: '5', updated_at: 2, distribution: 'least_busy' }] });
    await chat.database.query(`UPDATE conversations SET assignee_id = 'u-a' WHERE assignee_id = 'u-b'`);
    for (const index of [1, 2]) {
      await say(`62822000000${index}`, 'halo', { instanceID: 'plain' });
      expect((await owner(`62822000000${index}`))?.assignee_id).toBe('u-b');
    }
  });

  it('leaves a chat waiting outside its hours, after a rule has answered, and where a bot answers', async () => {
    await say('628230000001', 'ongkir', { instanceID: 'plain' });
    await texts('628230000001', 2);
    await push({
      teams: [
        {
          ...ROW,
          id: '5',
          updated_at: 4,
          distribution: 'round_robin',
          hours: [{ day: (new Date().getUTCDay() + 3) % 7, open: '00:00', close: '24:00' }],
        },
      ],
    });
    await say('628230000002', 'halo', { instanceID: 'plain' });
    await say('628230000003', 'halo');
    await texts('628230000003', 2);
    await settled();
    expect(
      await chat.database.query(`SELECT DISTINCT status, assignee_id FROM conversations WHERE nohp LIKE '62823%'`),
    ).toEqual([{ status: 0, assignee_id: null }]);
  });
});

describe('commerce-api', () => {
  /** When every message of these was written. */
  const saidAt = '2026-11-20T06:45:00.000Z';
  const told = (phone: string) => contacts.filter((one) => one.phone === phone);

  it('is told of a number first seen, once, and of opt-out words', async () => {
    await say('628300000001', 'halo', { name: 'Cici' });
    await until(() => told('628300000001').length === 1);
    await say('628300000001', 'halo lagi');
    await say('628300000001', ' berhenti ');
    await until(() => told('628300000001').length === 2);
    await say('628300000001', 'Start');
    await until(() => told('628300000001').length === 3);
    const contact = { storeId: 'S1', phone: '628300000001', name: 'Cici' };
    expect(told('628300000001')).toEqual([
      contact,
      { ...contact, optedOut: true, saidAt },
      { ...contact, optedOut: false, saidAt },
    ]);
  });

  it('may be away: the message is answered and it is told later', async () => {
    failures.push(new Error('commerce-api is away'));
    await say('628300000002', 'STOP');
    expect(
      await chat.database.query(`SELECT opt_out, opt_out_by_customer FROM customers WHERE nohp = '628300000002'`),
    ).toEqual([{ opt_out: true, opt_out_by_customer: true }]);
    await until(() => told('628300000002').length === 1);
    expect(told('628300000002')).toEqual([
      { storeId: 'S1', phone: '628300000002', name: 'Budi', optedOut: true, saidAt },
    ]);
  });

  it('hears nothing of groups, hidden ids and own messages with such a word', async () => {
    await chat.inbound({ number: '120363000000000009@g.us', text: 'STOP' });
    await chat.inbound({ number: '99887766554433@lid', text: 'halo' });
    await say('628300000001', 'STOP', { fromMe: 'true' });
    await say('628300000003', 'halo');
    await until(() => told('628300000003').length === 1);
    expect(contacts.filter(({ phone }) => !/^628[123]/.test(phone))).toEqual([]);
    expect(await chat.database.query(`SELECT 1 FROM customers WHERE opt_out AND nohp <> '628300000002'`)).toEqual([]);
  });
});
