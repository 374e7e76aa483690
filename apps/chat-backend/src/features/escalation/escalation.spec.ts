import { expectNoSeqScan, explain, until } from '@platform/testing';
import { listStatement } from '../chat-list/chat-list.sql';
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PDF = Buffer.from('%PDF-1.7\n');
const JPG = Buffer.from('ffd8ffe000104a464946', 'hex');
const WEBP = Buffer.from('524946460000000057454250', 'hex');
const MP4 = Buffer.from('000000186674797069736f6d', 'hex');
const EXE = Buffer.from('MZ\u0090\u0000', 'latin1');
type File = [name: string, bytes: Buffer, type?: string];

const multipart = (ref: Ref, fields: Record<string, string>, files: File[] = []): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...ref, ...fields })) form.append(name, value);
  for (const [name, bytes, type = 'image/jpeg'] of files)
    form.append('lampiran', new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
};
const request = (ref: Ref, more: object = {}, token = chat.people.rina) =>
  chat.as(token, 'chats/request-escalate', { ...ref, alasan: 'minta atasan', to_team: '4', ...more });
const finish = (ref: Ref, more: object = {}, token = chat.people.tono) =>
  chat.as(token, 'chats/finish-escalate', { ...ref, ...more });
const tickets = (ref: Ref) =>
  chat.database.query('SELECT nomor, judul, kategori, prioritas, status FROM tickets WHERE nohp = $1 ORDER BY nomor', [
    ref.nohp,
  ]);
const stored = async () =>
  (
    await chat.database.query<{ lampiran: { url: string }[] }>(
      "SELECT lampiran FROM chat_histories WHERE lampiran <> '[]'",
    )
  ).flatMap(({ lampiran }) => lampiran);

describe('request-escalate', () => {
  it('asks a team, opens a ticket, and tells it; a repeat tells nothing', async () => {
    const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
    const { status, body } = await request(ref, { prioritas: 'high' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: true,
        message: 'success request escalate',
        data: expect.objectContaining({
          status: 'handle',
          status_escalate: 'requested',
          user_id: 'u-rina',
          team: '3',
          prioritas: 'high',
          ticketId: expect.stringMatching(/^S1\.[0-9a-f-]{36}$/),
        }),
        history: [
          expect.objectContaining({
            event: 'request_escalate',
            team_from: '3',
            team_to: '4',
            user_to: null,
            catatan: 'minta atasan',
            lampiran: [],
          }),
        ],
        handle_gudang: null,
        customer: expect.objectContaining({ nohp: ref.nohp }),
      },
    });
    const first = (body as { data: object }).data;
    expect((await request(ref, { prioritas: 'high' })).body).toMatchObject({ data: first, history: [] });
    expect(await chat.events(ref)).toEqual(['request_escalate']);
    expect(await tickets(ref)).toEqual([
      {
        nomor: expect.stringMatching(/^TKT-\d{6}$/),
        judul: 'minta atasan',
        kategori: 'eskalasi',
        prioritas: 'high',
        status: 'open',
      },
    ]);
  });

  it.each([
    ['pending', null, 'open'],
    ['pending', 'u-siti', 'handle'],
    ['open', null, 'open'],
  ])('of a chat that is %s (%s) leaves it %s', async (status, assignee, expected) => {
    const ref = await chat.newChat({ status, assignee_id: assignee });
    expect((await request(ref, {}, chat.people.bot)).body).toMatchObject({
      data: { status: expected, status_escalate: 'requested', pending_until: null },
      history: [{ from_status: status, to_status: expected, actor_type: 'bot' }],
    });
  });

  it("asks the supervisors' team when nobody is named, and one person when only they are", async () => {
    const [team, person] = [await chat.newChat(), await chat.newChat()];
    expect((await request(team, { to_team: undefined })).body).toMatchObject({
      history: [{ team_to: '9', user_to: null }],
    });
    expect((await request(person, { to_team: undefined, user_id: 'u-tono' })).body).toMatchObject({
      history: [{ team_to: null, user_to: 'u-tono' }],
    });
  });

  it('to somebody else replaces who is asked, and keeps the ticket', async () => {
    const ref = await chat.newChat();
    await request(ref);
    await request(ref, { to_team: '9' });
    expect(await chat.events(ref)).toEqual(['request_escalate', 'request_escalate']);
    expect((await chat.as(chat.people.tono, 'chat_inbox', { ...ref, team: '4' })).body).toMatchObject({
      code: 'chat_not_found',
    });
    expect(await tickets(ref)).toHaveLength(1);
  });

  it('by twenty at once is one escalation with one ticket, and ticket numbers have no gaps', async () => {
    const refs = [await chat.newChat(), await chat.newChat()] as const;
    await Promise.all(Array.from({ length: 20 }, (_, index) => request(refs[index % 2] as Ref)));
    for (const ref of refs) {
      expect(await chat.events(ref)).toEqual(['request_escalate']);
      expect(await tickets(ref)).toHaveLength(1);
    }
    const [numbers] = await chat.database.query<{ n: number; last: number }>(
      'SELECT count(*)::int AS n, max(substr(nomor, 5)::int) AS last FROM tickets',
    );
    expect(numbers?.n).toBe(numbers?.last);
  });

  it.each([
    ['of a finished chat', { status: 'finish' }, {}, 'chat_finished'],
    ['to a team of another store', {}, { to_team: '8' }, 'team_not_found'],
    ['to a user of another store', {}, { user_id: 'u-lain' }, 'user_not_found'],
  ])('is refused %s', async (_, state, more, code) => {
    const ref = await chat.newChat(state);
    expect((await request(ref, more)).body).toMatchObject({ result: false, code });
    expect([await chat.events(ref), await tickets(ref)]).toEqual([[], []]);
  });
});

describe('while help is requested', () => {
  it('the team that was asked reads and answers that one chat, and no other', async () => {
    const [ref, other] = [await chat.newChat(), await chat.newChat()];
    const tono = await chat.listen(chat.people.tono);
    const ask = (call: string, more: object) => chat.as(chat.people.tono, call, { ...ref, ...more });
    expect(await tono.join(ref)).toMatchObject({ code: 'chat_not_found' });
    await request(ref);
    await until(() =>
      tono.heard.some(({ payload }) => payload.op === 'upsert' && payload.chat_list?.chatId === ref.chatId),
    );
    for (const team of ['3', '4']) {
      expect((await ask('chat_inbox', { team })).body).toMatchObject({ result: true, chat_list: { team: '3' } });
      expect((await ask('chat_inbox', { ...other, team })).body).toMatchObject({ code: 'chat_not_found' });
    }
    expect((await ask('chat_inboxdetail', { chatInboxId: `${ref.chatId}.1` })).body).toMatchObject({ result: true });
    expect((await ask('send_message', { pesan: 'saya bantu' })).body).toMatchObject({ result: true });
    expect((await ask('chat_move', { to_team: '4' })).body).toMatchObject({ code: 'forbidden' });
    expect([await tono.join(ref), await tono.join(other)]).toMatchObject([
      { result: true },
      { code: 'chat_not_found' },
    ]);
    const list = await chat.as(chat.people.tono, 'chat_list', {
      nohp: '-',
      instance: 'all',
      team: 'all',
      status: 'escalate',
    });
    expect((list.body as { indexlist: string[] }).indexlist).toContain(ref.chatId);
    const whole = await chat.as(chat.people.tono, 'chat_list', { nohp: '-', instance: 'dev1', team: '3' });
    expect((whole.body as { indexlist: string[] }).indexlist).not.toContain(other.chatId);

    await finish(ref);
    await until(() => tono.heard.some(({ payload }) => payload.op === 'remove'));
    expect(await tono.join(ref)).toMatchObject({ code: 'chat_not_found' });
    expect((await ask('send_message', { team: '4', pesan: 'lagi' })).body).toMatchObject({
      code: 'chat_not_found',
    });
    const heard = tono.heard.length;
    await chat.inbound({ number: `${ref.nohp}@s.whatsapp.net`, id: `end-${ref.nohp}` });
    const rina = await chat.as(chat.people.rina, 'chat_newinbox', ref);
    expect(rina.body).toMatchObject({ result: true });
    expect(tono.heard.slice(heard).filter(({ name }) => name === 'newMessage')).toEqual([]);
  });

  it('those who were asked see every change of the chat in their list, like its own team', async () => {
    const [byTeam, byName] = [await chat.newChat(), await chat.newChat()];
    const tono = await chat.listen(chat.people.tono);
    await request(byTeam);
    await request(byName, { to_team: undefined, user_id: 'u-tono' });
    for (const ref of [byTeam, byName]) {
      const shown = (wanted: object) =>
        until(() =>
          tono.heard.some(
            ({ name, payload }) =>
              name === 'updateChatlist' &&
              payload.chat_list?.chatId === ref.chatId &&
              Object.entries(wanted).every(([key, value]) => payload.chat_list?.[key] === value),
          ),
        );
      await chat.inbound({ number: `${ref.nohp}@s.whatsapp.net`, text: 'masih ada?' });
      await shown({ last_pesan: 'masih ada?', unread: 2 });
      await chat.as(chat.people.rina, 'handle_chat', ref);
      await shown({ status: 'handle', user_id: 'u-rina' });
      await chat.as(chat.people.rina, 'chat_markread', ref);
      await shown({ unread: 0 });
      await finish(ref);
    }
  });

  it('a person who was asked reads it, their team does not', async () => {
    const ref = await chat.newChat();
    await request(ref, { to_team: undefined, user_id: 'u-tono' });
    const colleague = chat.tokens.tokenFor({ sub: 'u-nina', teams: ['4'] });
    expect((await chat.as(chat.people.tono, 'chat_inbox', { ...ref, team: '4' })).body).toMatchObject({ result: true });
    expect((await chat.as(colleague, 'chat_inbox', { ...ref, team: '4' })).body).toMatchObject({
      code: 'chat_not_found',
    });
  });
});

describe('finish-escalate', () => {
  it('is open to whoever was asked or asked, and to supervisors; a repeat tells nothing', async () => {
    for (const [token, allowed] of [
      [chat.people.tono, true],
      [chat.people.rina, true],
      [chat.people.boss, true],
      [chat.people.siti, false],
      [chat.people.bot, false],
    ] as const) {
      const ref = await chat.newChat();
      await request(ref);
      const answer = await finish(ref, { hasil: 'dikembalikan', catatan: 'sudah' }, token);
      expect(answer.body).toMatchObject(
        allowed
          ? {
              data: { status_escalate: 'finished', status: 'open' },
              history: [{ event: 'finish_escalate', catatan: 'dikembalikan: sudah' }],
            }
          : { result: false, code: 'forbidden' },
      );
      if (allowed) expect((await finish(ref, {}, chat.people.rina)).body).toMatchObject({ result: true, history: [] });
    }
  });

  it('may end the chat as well', async () => {
    const ref = await chat.newChat();
    await request(ref);
    expect((await finish(ref, { finish_chat: true })).body).toMatchObject({ data: { status: 'finish', unread: 0 } });
    expect(await chat.events(ref)).toEqual(['request_escalate', 'finish_escalate', 'finish']);
  });

  it('happens by itself when the chat is finished', async () => {
    const ref = await chat.newChat();
    await request(ref);
    await chat.as(chat.people.rina, 'chat_finish', ref);
    expect(await chat.events(ref)).toEqual(['request_escalate', 'finish_escalate', 'finish']);
    expect(await chat.row(ref)).toMatchObject({ status: 3, status_escalate: 2 });
    expect((await chat.as(chat.people.tono, 'chat_inbox', { ...ref, team: '4' })).body).toMatchObject({
      code: 'chat_not_found',
    });
  });
});

describe('attachments of an escalation', () => {
  const five: File[] = [
    ['a.jpg', JPG],
    ['b.png', PNG],
    ['c.webp', WEBP],
    ['d.pdf', PDF],
    ['e.mp4', MP4],
  ];

  it('of five kinds are kept and served by a signed link, with the type their bytes show', async () => {
    const ref = await chat.newChat();
    const { body } = await chat.as(
      chat.people.rina,
      'chats/request-escalate',
      multipart(ref, { alasan: 'lihat', to_team: '4' }, five),
    );
    const [event] = (
      body as { history: { lampiran: { url: string; mimetype: string; filename: string; size: number }[] }[] }
    ).history;
    expect(event?.lampiran).toEqual(
      ['image/jpeg', 'image/png', 'image/webp', 'application/pdf', 'video/mp4'].map((mimetype, index) => ({
        url: expect.stringMatching(/\/media\/[0-9a-f]{32}\?exp=\d+&sig=/),
        mimetype,
        filename: five[index]?.[0],
        size: five[index]?.[1].length,
      })),
    );
    const url = new URL(event?.lampiran[1]?.url ?? '');
    const answer = await fetch(chat.url + url.pathname + url.search);
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, PNG]);
    const inbox = (await chat.as(chat.people.rina, 'chat_inbox', ref)).body as { history: { lampiran: object[] }[] };
    expect(inbox.history.at(-1)?.lampiran).toEqual(event?.lampiran);
  });

  it.each<[string, File[], object]>([
    [
      'a sixth file',
      [...five, ['f.png', PNG]],
      { field: 'lampiran[5]', tag: 'max', message: 'lampiran[5] is one too many: at maximum 5 files' },
    ],
    [
      'a program named as a picture',
      [
        ['ok.png', PNG],
        ['virus.jpg', EXE],
      ],
      { field: 'lampiran[1]', tag: 'mimetype', message: 'lampiran[1] must be one of [jpg png webp pdf mp4]' },
    ],
    [
      'a file above 10 MB',
      [['big.png', Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)])]],
      { field: 'lampiran[0]', tag: 'max', message: 'lampiran[0] must be a maximum of 10 MB in size' },
    ],
  ])('422 for %s, and nothing happens', async (_, files, violation) => {
    const ref = await chat.newChat();
    const before = await stored();
    for (const [route, fields] of [
      ['chats/request-escalate', { alasan: 'lihat', to_team: '4' }],
      ['chat_finishhandle', {}],
    ] as const)
      expect(await chat.as(chat.people.rina, route, multipart(ref, fields, files))).toMatchObject({
        status: 422,
        body: { errors: [violation] },
      });
    expect([await chat.events(ref), await stored()]).toEqual([[], before]);
  });

  it('of a repeat are thrown away', async () => {
    const ref = await chat.newChat();
    const send = () =>
      chat.as(
        chat.people.rina,
        'chat_requesthandle',
        multipart(ref, { alasan: 'lihat', to_team: '4' }, [['a.png', PNG]]),
      );
    await send();
    const before = await stored();
    expect((await send()).body).toMatchObject({ result: true, history: [] });
    expect(await stored()).toEqual(before);
  });
});

describe('an alias of an escalation route', () => {
  const plain = (body: unknown, ref: Ref) =>
    JSON.parse(
      JSON.stringify(body)
        .replaceAll(ref.chatId, 'CHAT')
        .replaceAll(ref.nohp, 'NOHP')
        .replace(/"(historyId|ticketId|customerId|last_pesan_id|last_pesan|waktu|last_waktu)":"[^"]*"/g, '"$1":"x"')
        .replace(/"(timestamp|waiting_since)":\d+/g, '"$1":0'),
    ) as unknown;

  it.each(['', '_admin', '_crm'])('is the same handler in both spellings and both body kinds (%s)', async (suffix) => {
    const answers = [];
    const finish = { hasil: 'selesai', finish_chat: 'true' };
    for (const [ask, end] of [
      ['chats/request-escalate', 'chats/finish-escalate'],
      ['chat_requesthandle', 'chat_finishhandle'],
    ] as const)
      for (const kind of ['multipart', 'json']) {
        const ref = await chat.newChat();
        const token = suffix === '' ? chat.people.rina : '';
        const body = (fields: Record<string, string>, typed: object = fields) =>
          kind === 'json' ? { ...ref, ...typed } : multipart(ref, fields);
        const asked = await chat.as(token, ask + suffix, body({ alasan: 'minta atasan', to_team: '4' }));
        const ended = await chat.as(token, end + suffix, body(finish, { ...finish, finish_chat: true }));
        answers.push([asked.status, plain(asked.body, ref), ended.status, plain(ended.body, ref)]);
      }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject([
      200,
      { message: 'success request escalate' },
      200,
      { message: 'success finish escalate' },
    ]);
  });
});

describe('the list of escalated chats', () => {
  it('reads no conversation that is not escalated', async () => {
    const form = {
      shapes: ['escalated'],
      status: undefined,
      teams: 'one',
      sight: true,
      groups: true,
      most: 50,
    } as const;
    const values = ['S1', 'infinity', '0192f3a0-0000-7000-8000-000000000000', 10, '4', ['4', '@u-tono']];
    const text = listStatement({ ...form, instance: false, filter: false, enters: false });
    expectNoSeqScan(await explain(chat.database, text, values), 'conversations', 'escalations');
  });
});
