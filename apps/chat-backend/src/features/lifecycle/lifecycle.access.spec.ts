import { startLifecycle, type Lifecycle } from './lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

type Person = keyof Lifecycle['people'];
const OWN = { status: 'handle', assignee_id: 'u-rina' };
const FOREIGN = { status: 'handle', assignee_id: 'u-siti' };

describe('who may (and may not)', () => {
  const refused = (code: string, message: string) => ({ result: false, message, code });
  const FORBIDDEN = refused('forbidden', 'tidak punya akses');
  const HANDLED = refused('chat_handled', 'chat sudah ditangani oleh Siti');
  const FINISHED = refused('chat_finished', 'chat sudah selesai');
  it.each<[string, Person, string, Record<string, unknown>, object, object]>([
    ["take a colleague's chat", 'rina', 'handle_chat', FOREIGN, {}, HANDLED],
    ["take a colleague's chat by force as an agent", 'rina', 'handle_chat', FOREIGN, { force: true }, HANDLED],
    ["take a colleague's pending chat", 'rina', 'handle_chat', { ...FOREIGN, status: 'pending' }, {}, HANDLED],
    ['give a chat to a colleague as an agent', 'rina', 'handle_chat', {}, { user_id: 'u-siti' }, FORBIDDEN],
    ['handle as a bot', 'bot', 'handle_chat', {}, {}, FORBIDDEN],
    ["open a colleague's chat", 'rina', 'chat_open', FOREIGN, {}, FORBIDDEN],
    ['open as a bot', 'bot', 'chat_open', OWN, {}, FORBIDDEN],
    ["finish a colleague's chat", 'rina', 'chat_finish', FOREIGN, {}, FORBIDDEN],
    ['move as a bot', 'bot', 'chat_move', {}, { to_team: '4' }, FORBIDDEN],
    ['set a finished chat aside', 'rina', 'chat_pending', { status: 'finish' }, {}, FINISHED],
    ['move a finished chat', 'rina', 'chat_move', { status: 'finish' }, { to_team: '4' }, FINISHED],
    [
      "reach another team's chat",
      'tono',
      'handle_chat',
      {},
      {},
      refused('forbidden_team', 'tidak punya akses ke team ini'),
    ],
    [
      'name a user of nobody',
      'boss',
      'handle_chat',
      {},
      { user_id: 'u-none' },
      refused('user_not_found', 'user tidak ditemukan'),
    ],
    [
      'name a user of another store',
      'boss',
      'chat_move',
      {},
      { to_team: '4', user_id: 'u-lain' },
      refused('user_not_found', 'user tidak ditemukan'),
    ],
    [
      'name a team of another store',
      'boss',
      'chat_move',
      {},
      { to_team: '8' },
      refused('team_not_found', 'team tidak ditemukan'),
    ],
  ])('not %s', async (_, by, call, from, body, answer) => {
    const ref = await chat.newChat(from);
    const before = await chat.row(ref);
    expect((await chat.as(chat.people[by], call, { ...ref, ...body })).body).toEqual(answer);
    expect(await chat.row(ref)).toEqual(before);
    expect(await chat.events(ref)).toEqual([]);
  });
});

describe('an open team', () => {
  it('is read by the whole store, and answered by its members only', async () => {
    await chat.database.query(`INSERT INTO teams (store_id, id, nama, private) VALUES ('S1', '5', 'Terbuka', false)`);
    const ref = { ...(await chat.newChat({ team_id: '5' })), team: '5' };
    const forbidden = { result: false, message: 'tidak punya akses', code: 'forbidden' };
    expect((await chat.as(chat.people.tono, 'chat_inbox', ref)).body).toMatchObject({ result: true });
    for (const [call, more] of [
      ['send_message', { pesan: 'halo' }],
      ['handle_chat', {}],
      ['chats/request-escalate', { alasan: 'x', to_team: '4' }],
    ] as const)
      expect((await chat.as(chat.people.tono, call, { ...ref, ...more })).body).toEqual(forbidden);
    const member = chat.tokens.tokenFor({ sub: 'u-siti', teams: ['5'] });
    expect((await chat.as(member, 'handle_chat', ref)).body).toMatchObject({ data: { user_id: 'u-siti' } });
  });
});

describe('a lifecycle call without a token', () => {
  it.each(['_admin', '_crm'])('%s names the agent', async (suffix) => {
    const ref = await chat.newChat();
    expect(await chat.as('', `handle_chat${suffix}`, ref)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'user_id', tag: 'required', message: 'user_id is a required field' }] },
    });
    const { body } = await chat.as('', `handle_chat${suffix}`, { ...ref, user_id: 'u-siti' });
    expect(body).toMatchObject({
      data: { user_id: 'u-siti' },
      history: [{ actor_type: suffix.slice(1), user_id: 'u-siti' }],
    });
  });

  it('_admin records in the history who sat at the console', async () => {
    const ref = await chat.newChat();
    const actor = { headers: { 'x-actor': 'ops@platform' }, body: ref };
    expect((await chat.call('/v1/chat_pending_admin', actor)).body).toMatchObject({
      data: { status: 'pending', user_id: null },
      history: [{ event: 'pending', actor_type: 'admin', user_id: 'ops@platform', user_nama: null }],
    });
  });

  it('force is implied for _admin, and must be given by _crm', async () => {
    const [mine, yours] = [await chat.newChat(FOREIGN), await chat.newChat(FOREIGN)];
    const takeover = { data: { user_id: 'u-rina' }, history: [{ event: 'takeover' }] };
    expect((await chat.as('', 'handle_chat_admin', { ...mine, user_id: 'u-rina' })).body).toMatchObject(takeover);
    expect((await chat.as('', 'handle_chat_crm', { ...yours, user_id: 'u-rina' })).body).toMatchObject({
      code: 'chat_handled',
    });
    expect((await chat.as('', 'handle_chat_crm', { ...yours, user_id: 'u-rina', force: true })).body).toMatchObject(
      takeover,
    );
  });
});

describe('every lifecycle route', () => {
  const routes: [string, object][] = [
    ['handle_chat', {}],
    ['chat_open', {}],
    ['chat_pending', {}],
    ['chat_finish', {}],
    ['chat_move', { to_team: '3' }],
    ['chats/request-escalate', { alasan: 'x', to_team: '3' }],
    ['chats/finish-escalate', {}],
    ['chat_requesthandle', { alasan: 'x', to_team: '3' }],
    ['chat_finishhandle', {}],
  ];
  it.each(routes)('%s shows another store nothing', async (route, body) => {
    const ref = await chat.newChat(OWN);
    const before = await chat.row(ref);
    const all = { ...ref, ...body, user_id: 'u-lain' };
    expect((await chat.as(chat.people.stranger, route, all)).body).toMatchObject({ code: 'device_not_found' });
    for (const [token, suffix] of [
      [chat.people.stranger, ''],
      ['', '_admin'],
      ['', '_crm'],
    ] as const)
      expect((await chat.as(token, route + suffix, { ...all, instance: 'dev2' })).body).toEqual({
        result: false,
        message: 'chat tidak ditemukan',
        code: 'chat_not_found',
      });
    expect(await chat.row(ref)).toEqual(before);
  });

  it.each(routes)('%s wants a token, before it reads the body', async (route) => {
    for (const body of ['{broken', '{}'])
      expect(await chat.call(`/v1/${route}`, { body })).toMatchObject({
        status: 401,
        body: { status: 'error', message: 'Unauthenticated' },
      });
  });

  it.each(routes)('%s wants a chat', async (route) => {
    const { status, body } = await chat.as(chat.people.rina, route, {});
    expect(status).toBe(422);
    expect((body as { errors: { field: string; tag: string }[] }).errors.slice(0, 3)).toMatchObject([
      { field: 'nohp', tag: 'required' },
      { field: 'instance', tag: 'required' },
      { field: 'team', tag: 'required' },
    ]);
  });

  it.each(routes.map(([route]) => [route]))('%s_crm knows no groups', async (route) => {
    const ref = await chat.newChat({ ...OWN, is_group: true });
    const body = { ...ref, alasan: 'selesai', to_team: '3', user_id: 'u-rina' };
    expect((await chat.as('', `${route}_crm`, body)).body).toMatchObject({ code: 'chat_not_found' });
  });
});
