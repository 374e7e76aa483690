import { until } from '@platform/testing';
import { startLifecycle, type Lifecycle, type Ref, type Told } from './lifecycle.fixture';

let chat: Lifecycle;
let boss: Awaited<ReturnType<Lifecycle['listen']>>;
beforeAll(async () => {
  chat = await startLifecycle();
  boss = await chat.listen(chat.people.boss);
});
afterAll(() => chat.stop());

const about = ({ chatId }: Ref, name: string): Told['payload'][] =>
  boss.heard
    .filter((told) => told.name === name && (told.payload.chatId ?? told.payload.chat_list?.chatId) === chatId)
    .map(({ payload }) => payload);
const tomorrow = () => new Date(Date.now() + 24 * 3600_000).toISOString().slice(0, 10);

interface Answer {
  result: boolean;
  message: string;
  data: Record<string, unknown> & { version: number };
  history: Record<string, unknown>[];
}

type Person = keyof Lifecycle['people'];
interface Case {
  name: string;
  from: Record<string, unknown>;
  call: string;
  body?: object;
  by?: Person;
  to: Record<string, unknown>;
  events: [event: string, from: string, to: string][];
}

const MESSAGES: Record<string, string> = {
  handle_chat: 'success handle chat',
  chat_open: 'success open chat',
  chat_pending: 'success pending chat',
  chat_finish: 'success finish chat',
  chat_move: 'success move chat',
};
const one = (
  name: string,
  from: Record<string, unknown>,
  call: string,
  to: Record<string, unknown>,
  events: Case['events'],
  more: Partial<Case> = {},
): Case => ({ name, from, call, to, events, ...more });
const OWN = { status: 'handle', assignee_id: 'u-rina' };
const FOREIGN = { status: 'handle', assignee_id: 'u-siti' };
const PENDING = { status: 'pending', pending_until: '2030-01-01T00:00:00Z' };
const handled = { status: 'handle', user_id: 'u-rina', user_nama: 'Rina' };
const opened = { status: 'open', user_id: null, pending_until: null };

const cases: Case[] = [
  one('open', {}, 'handle_chat', handled, [['handle', 'open', 'handle']]),
  one('pending', PENDING, 'handle_chat', { ...handled, pending_until: null }, [['handle', 'pending', 'handle']]),
  one('finished', { status: 'finish' }, 'handle_chat', { ...handled, episode: 2 }, [
    ['reopen', 'finish', 'open'],
    ['handle', 'open', 'handle'],
  ]),
  one("a colleague's", FOREIGN, 'handle_chat', { user_id: 'u-boss' }, [['takeover', 'handle', 'handle']], {
    by: 'boss',
    body: { force: true },
  }),
  one('open', {}, 'handle_chat', { user_id: 'u-siti', user_nama: 'Siti' }, [['handle', 'open', 'handle']], {
    by: 'boss',
    body: { user_id: 'u-siti' },
  }),
  one('own', OWN, 'chat_open', opened, [['release', 'handle', 'open']]),
  one('pending', PENDING, 'chat_open', opened, [['resume', 'pending', 'open']]),
  one('finished', { status: 'finish' }, 'chat_open', { ...opened, episode: 2 }, [['reopen', 'finish', 'open']]),
  one('open', {}, 'chat_pending', { status: 'pending', user_id: null }, [['pending', 'open', 'pending']]),
  one('own', OWN, 'chat_pending', { status: 'pending', user_id: 'u-rina' }, [['pending', 'handle', 'pending']]),
  one("a colleague's, by the bot", FOREIGN, 'chat_pending', { status: 'pending' }, [['pending', 'handle', 'pending']], {
    by: 'bot',
  }),
  one('open', {}, 'chat_finish', { status: 'finish', unread: 0, read_seq: 1, waiting_since: null }, [
    ['finish', 'open', 'finish'],
  ]),
  one('own', OWN, 'chat_finish', { status: 'finish', user_id: 'u-rina', unread: 0 }, [['finish', 'handle', 'finish']]),
  one('pending', PENDING, 'chat_finish', { status: 'finish', pending_until: null }, [['finish', 'pending', 'finish']]),
  ...(['open', 'handle', 'pending'] as const).flatMap((status) => [
    one(status, { status }, 'chat_move', { ...opened, team: '4' }, [['move', status, 'open']], {
      body: { to_team: '4' },
      by: 'boss',
    }),
    one(
      status,
      { status },
      'chat_move',
      { status: 'handle', team: '4', user_id: 'u-tono' },
      [
        ['move', status, 'open'],
        ['assign', 'open', 'handle'],
      ],
      { body: { to_team: '4', user_id: 'u-tono' }, by: 'boss' },
    ),
  ]),
];

describe('a lifecycle call changes the chat, and shows in answer, history and sockets; a repeat does not', () => {
  it.each(
    cases.map(
      (item) =>
        [`${item.call} of a chat that is ${item.name}: ${item.events.map(([e]) => e).join(', ')}`, item] as const,
    ),
  )('%s', async (_, { from, call, body = {}, by = 'rina', to, events }) => {
    const ref = await chat.newChat(from);
    await boss.join(ref);
    const first = (await chat.as(chat.people[by], call, { ...ref, ...body })).body as Answer;
    expect(Object.keys(first)).toEqual(['result', 'message', 'data', 'history', 'handle_gudang', 'customer']);
    expect(first.message).toBe(MESSAGES[call]);
    expect(first.data).toMatchObject(to);
    expect(first.history.map(({ event, from_status: was, to_status: is }) => [event, was, is])).toEqual(events);
    const names = events.map(([event]) => event);
    await until(() => about(ref, 'historyChat').length > 0);
    await until(() => about(ref, 'updateChatlist').at(-1)?.version === first.data.version);
    const again = (await chat.as(chat.people[by], call, { ...ref, ...body })).body as Answer;
    expect([again.data, again.history]).toEqual([first.data, []]);
    expect(await chat.events(ref)).toEqual(names);
    expect(about(ref, 'historyChat').map(({ history }) => history?.map(({ event }) => event))).toEqual([names]);
  });
});

describe('the answer of a lifecycle call', () => {
  it('holds every record of the chat', async () => {
    const ref = await chat.newChat();
    const { status, body } = await chat.as(chat.people.rina, 'handle_chat', ref);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: true,
        message: 'success handle chat',
        data: expect.objectContaining({
          chatId: ref.chatId,
          status: 'handle',
          user_nama: 'Rina',
          version: 2,
          episode: 1,
        }),
        history: [
          {
            historyId: expect.any(String),
            chatId: ref.chatId,
            episode: 1,
            event: 'handle',
            from_status: 'open',
            to_status: 'handle',
            actor_type: 'user',
            user_id: 'u-rina',
            user_nama: 'Rina',
            team_from: '3',
            team_to: '3',
            user_from: null,
            user_to: 'u-rina',
            catatan: null,
            lampiran: [],
            waktu: expect.any(String),
            timestamp: expect.any(Number),
          },
        ],
        handle_gudang: null,
        customer: expect.objectContaining({ nohp: ref.nohp, nama: 'Budi' }),
      },
    });
  });
});

describe('a moved chat', () => {
  it('disappears for the team it left, and appears for the new one', async () => {
    const ref = await chat.newChat();
    const rina = await chat.listen(chat.people.rina);
    const tono = await chat.listen(chat.people.tono);
    await rina.join(ref);
    await chat.as(chat.people.rina, 'chat_move', { ...ref, to_team: '4' });
    const told = (heard: Told[]) =>
      heard
        .filter(({ name, payload }) => name === 'updateChatlist' && payload.chat_list?.chatId === ref.chatId)
        .map(({ payload }) => payload);
    await until(() => told(rina.heard).some(({ op }) => op === 'remove') && told(tono.heard).length > 0);
    expect(told(rina.heard).at(-1)).toEqual({
      op: 'remove',
      chat_list: { chatId: ref.chatId, team: '4', version: 2 },
      version: 2,
    });
    expect(told(tono.heard)).toEqual([
      expect.objectContaining({ op: 'upsert', chat_list: expect.objectContaining({ team: '4' }) }),
    ]);
    expect((await chat.as(chat.people.rina, 'chat_inbox', ref)).body).toMatchObject({ code: 'chat_not_found' });
    const quiet = rina.heard.length;
    await chat.inbound({ number: `${ref.nohp}@s.whatsapp.net`, id: `after-${ref.nohp}` });
    await until(() => told(tono.heard).length > 1);
    expect(rina.heard.slice(quiet).filter(({ name }) => name === 'newMessage')).toEqual([]);
    expect(about(ref, 'updateChatlist').filter(({ op }) => op === 'remove')).toEqual([]); // supervisors keep it
  });
});

describe('a send that takes the chat over', () => {
  it('tells the event once', async () => {
    const ref = await chat.newChat();
    await boss.join(ref);
    for (const pesan of ['satu', 'dua']) await chat.as(chat.people.rina, 'send_message', { ...ref, pesan });
    await until(() => about(ref, 'newMessage').length === 2);
    expect(about(ref, 'historyChat')).toEqual([
      {
        chatId: ref.chatId,
        history: [expect.objectContaining({ event: 'handle', user_id: 'u-rina', user_to: 'u-rina' })],
      },
    ]);
  });
});

describe('notifications of lifecycle calls', () => {
  const of = async (user: string, ref: Ref) =>
    chat.database.query(
      `SELECT n.type, n.isi, n.count FROM notifications n JOIN conversations c ON c.id = n.conversation_id WHERE c.nohp = $1 AND n.user_id = $2 ORDER BY n.id`,
      [ref.nohp, user],
    );

  it('go to whoever is given a chat, never to whoever gave it', async () => {
    const ref = await chat.newChat();
    const siti = await chat.listen(chat.people.siti);
    await chat.as(chat.people.boss, 'handle_chat', { ...ref, user_id: 'u-siti' });
    await until(() => siti.heard.some(({ name }) => name === 'notif'));
    expect(await of('u-siti', ref)).toEqual([{ type: 'assign', isi: 'Budi', count: 1 }]);
    await chat.as(chat.people.siti, 'chat_open', ref);
    await chat.as(chat.people.siti, 'handle_chat', ref);
    expect(await of('u-siti', ref)).toHaveLength(1);
    expect(await of('u-boss', ref)).toEqual([]);
  });

  it('go to the team that a chat is moved to, and to whoever asked for help when it ends', async () => {
    await chat.database.query(
      `INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '4', 'u-tono'), ('S1', '4', 'u-boss')`,
    );
    const [moved, asked] = [await chat.newChat(), await chat.newChat()];
    await chat.as(chat.people.boss, 'chat_move', { ...moved, to_team: '4', catatan: 'tolong' });
    await chat.as(chat.people.rina, 'chats/request-escalate', { ...asked, to_team: '4', alasan: 'rumit' });
    await chat.as(chat.people.tono, 'chats/finish-escalate', asked);
    expect(await of('u-tono', moved)).toEqual([{ type: 'move', isi: 'tolong', count: 1 }]);
    expect(await of('u-boss', moved)).toEqual([]);
    expect(await of('u-tono', asked)).toEqual([{ type: 'escalate_request', isi: 'rumit', count: 1 }]);
    expect(await of('u-rina', asked)).toEqual([{ type: 'escalate_finish', isi: 'selesai', count: 1 }]);
  });
});

describe('twenty agents who take a chat at once', () => {
  it('have one winner, whose name the nineteen others read', async () => {
    const ref = await chat.newChat();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        chat.as(chat.tokens.tokenFor({ sub: `agent-${index + 1}` }), 'handle_chat', ref),
      ),
    );
    const bodies = answers.map(({ body }) => body as Answer);
    const winner = bodies.find(({ result }) => result)?.data.user_nama;
    expect(bodies.filter(({ result }) => result)).toHaveLength(1);
    expect(bodies.filter(({ result }) => !result)).toEqual(
      Array(19).fill({ result: false, message: `chat sudah ditangani oleh ${String(winner)}`, code: 'chat_handled' }),
    );
    expect(await chat.events(ref)).toEqual(['handle']);
  });
});

describe('further fields of a lifecycle call', () => {
  it('pending until a minute of the store; another time changes that alone', async () => {
    const ref = await chat.newChat();
    const day = tomorrow();
    const call = (time: string) => chat.as(chat.people.rina, 'chat_pending', { ...ref, pending_until: time });
    expect((await call(`${day} 23:59`)).body).toMatchObject({ data: { pending_until: `${day} 23:59` } });
    expect((await call(`${day} 23:58`)).body).toMatchObject({
      data: { pending_until: `${day} 23:58`, version: 3 },
      history: [],
    });
    expect((await chat.row(ref)).pending_until).toEqual(new Date(`${day}T16:58:00Z`)); // Asia/Jakarta
  });

  it.each([
    ['2020-01-01 10:00', 'gt', 'must be greater than the current Date & Time'],
    ['0000-01-01 10:00', 'gt', 'must be greater than the current Date & Time'],
    ['9999-12-31 10:00', 'max', 'must be at most 90 days ahead'],
    ['2027-02-30 10:00', 'datetime', 'does not match the 2006-01-02 15:04 format'],
    ['besok', 'datetime', 'does not match the 2006-01-02 15:04 format'],
  ])('422 for pending_until %s', async (time, tag, text) => {
    const ref = await chat.newChat();
    expect(await chat.as(chat.people.rina, 'chat_pending', { ...ref, pending_until: time })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'pending_until', tag, message: `pending_until ${text}` }] },
    });
  });

  it('a finish keeps reason and note, and asks the customer once when the store has a question', async () => {
    const ref = await chat.newChat(OWN);
    await chat.database.query(
      `UPDATE stores SET settings = '{"csat_text":"Bagaimana layanan kami?"}' WHERE store_id = 'S1'`,
    );
    const finish = () =>
      chat.as(chat.people.rina, 'chat_finish', { ...ref, alasan: 'selesai', catatan: 'beres', kirim_csat: true });
    expect((await finish()).body).toMatchObject({
      data: { status: 'finish', last_pesan: 'Bagaimana layanan kami?', unread: 0, last_seq: 2 },
      history: [{ event: 'finish', catatan: 'selesai: beres' }],
    });
    await finish();
    await until(() => chat.gateway.calls.some(({ number }) => number === ref.nohp));
    expect(chat.gateway.calls.filter(({ number }) => number === ref.nohp)).toMatchObject([{ role: 'system' }]);
  });

  it('a finish asks nothing of a customer who has said STOP or is blocked', async () => {
    await chat.database.query(
      `UPDATE stores SET settings = '{"csat_text":"Bagaimana layanan kami?"}' WHERE store_id = 'S1'`,
    );
    for (const barred of ['opt_out', 'blokir']) {
      const ref = await chat.newChat(OWN);
      await chat.database.query(`UPDATE customers SET ${barred} = true WHERE store_id = 'S1' AND nohp = $1`, [
        ref.nohp,
      ]);
      const { body } = await chat.as(chat.people.rina, 'chat_finish', { ...ref, kirim_csat: true });
      expect(body).toMatchObject({ data: { status: 'finish', last_seq: 1 }, history: [{ event: 'finish' }] });
    }
  });

  it('a move names a warehouse: one open record, changed by the next', async () => {
    const ref = await chat.newChat();
    const call = (gudang: string) =>
      chat.as(chat.people.boss, 'chat_move', { ...ref, to_team: '4', gudang_id: gudang });
    const { body } = await call('G1');
    expect(body).toMatchObject({
      data: { team: '4', gudang_id: 'G1' },
      history: [{ event: 'move' }, { event: 'gudang' }],
      handle_gudang: { gudang_id: 'G1', gudang_nama: 'Gudang Timur', status: 'pending', team: '4' },
    });
    const id = (body as { handle_gudang: { handleGudangId: string } }).handle_gudang.handleGudangId;
    expect((await call('G2')).body).toMatchObject({
      history: [{ event: 'gudang' }],
      handle_gudang: { handleGudangId: id, gudang_id: 'G2', gudang_nama: null },
    });
    expect((await call('G2')).body).toMatchObject({ history: [] });
  });
});
