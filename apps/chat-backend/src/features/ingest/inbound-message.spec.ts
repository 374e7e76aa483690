import { untilWaiting } from '@platform/testing';
import { form, message, startChat, type Chat } from '../../chat.fixture';
import { customerOf, historyOf, inboxOf, listOf } from '../../walk.records.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const callback = '/v1/callback_message';
const count = async (sql: string) => Number((await chat.database.query<{ n: string }>(sql))[0]?.n);

describe('a new message', () => {
  it('answers the records of chat, customer and history', async () => {
    const { body } = await chat.inbound({
      number: '628111000001@s.whatsapp.net',
      id: 'NEW1',
      text: 'stok ada?',
      name: 'Ani',
      timestamp: '1763620860',
    });
    const chatId = expect.stringMatching(/^S1\.[0-9a-f-]{36}$/) as string;
    const first = { ref: { chatId, nohp: '628111000001', instance: 'dev1', team: '3' }, messageId: 'NEW1' };
    const moment = { waktu: '2025-11-20 13:41', timestamp: 1763620860 };
    expect(body).toEqual({
      result: true,
      data: {
        newChatInbox: inboxOf(first, {
          chatInboxId: expect.stringMatching(/^S1\.[0-9a-f-]{36}\.1$/),
          pesan: 'stok ada?',
          name: 'Ani',
          ...moment,
        }),
        chat_list: listOf(first, {
          nama: 'Ani',
          last_pesan: 'stok ada?',
          order_status: null,
          waiting_since: moment.timestamp,
          version: 1,
          ...moment,
        }),
        chat_order: null,
        handle_gudang: null,
        customer: customerOf(first, { nama: 'Ani', last_waktu: moment.waktu }),
        history: [historyOf(first)],
      },
    });
  });

  it.each([
    ['seconds', '1763620860'],
    ['milliseconds', '1763620860000'],
    ['microseconds', '1763620860000000'],
    ['nanoseconds', '1763620860000000000'],
  ])('reads %s', async (unit, timestamp) => {
    const { body } = await chat.inbound({ number: '628111000002@s.whatsapp.net', id: `T-${unit}`, timestamp });
    expect((body as { data: { newChatInbox: { timestamp: number } } }).data.newChatInbox.timestamp).toBe(1763620860);
  });

  it('accepts a device part in the number, and takes @c.us for the same customer', async () => {
    await chat.inbound({ number: '628111000003:12@s.whatsapp.net', id: 'D1' });
    const { body } = await chat.inbound({ number: '628111000003@c.us', id: 'D2' });
    expect((body as { data: { newChatInbox: { seq: number; nohp: string } } }).data.newChatInbox).toMatchObject({
      seq: 2,
      nohp: '628111000003',
    });
  });

  it('twenty at once, half as a form and half as JSON, are stored once, counted once and answered alike', async () => {
    const fields = message({ number: '628111000004@s.whatsapp.net', id: 'TWENTY' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => chat.call(callback, { body: index % 2 ? form(fields) : fields })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(await count(`SELECT count(*) AS n FROM messages WHERE pesan_id = 'TWENTY'`)).toBe(1);
    expect(await count(`SELECT unread_count AS n FROM conversations WHERE nohp = '628111000004'`)).toBe(1);
    const again = await chat.call(callback, { body: form(fields) });
    expect(again.body).toEqual(answers[0]?.body);
  });

  it('written twice at once, by two processes, is stored once and answered alike', async () => {
    const other = await startChat({ beside: chat });
    const nohp = '628111000014';
    await chat.inbound({ number: `${nohp}@s.whatsapp.net` });
    const fields = message({ number: `${nohp}@s.whatsapp.net`, id: 'TWIN' });
    const answers: Promise<unknown>[] = [];
    await chat.database.tx(async (tx) => {
      await tx.query('SELECT 1 FROM conversations WHERE nohp = $1 FOR UPDATE', [nohp]);
      for (const process of [chat, other]) {
        answers.push(process.call(callback, { body: form(fields) }).then(({ body }) => body));
        await untilWaiting(tx, ...answers);
      }
    });
    const [first, second] = await Promise.all(answers);
    await other.stop();
    expect(first).toMatchObject({ result: true, data: { newChatInbox: { pesan_id: 'TWIN', seq: 2 } } });
    expect(second).toEqual(first);
    expect(await count(`SELECT unread_count AS n FROM conversations WHERE nohp = '${nohp}'`)).toBe(2);
  });

  it('fifty first messages at once make one chat with seq 1 to 50', async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        chat.inbound({ number: '628111000005@s.whatsapp.net', id: `FIRST${index}` }),
      ),
    );
    const rows = await chat.database.query<{ seq: number; unread_count: number }>(
      `SELECT m.seq, c.unread_count FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = '628111000005' ORDER BY m.seq`,
    );
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(rows[0]?.unread_count).toBe(50);
  });

  it('forty messages into a finished chat reopen it once', async () => {
    const number = '628111000006@s.whatsapp.net';
    await chat.inbound({ number, id: 'FIN0' });
    await chat.database.query(
      `UPDATE conversations SET status = 3, assignee_id = 'u-rina' WHERE nohp = '628111000006'`,
    );
    await Promise.all(Array.from({ length: 40 }, (_, index) => chat.inbound({ number, id: `FIN-${index}` })));
    const events = await chat.database.query(
      `SELECT h.event, h.from_status, h.to_status, h.episode FROM chat_histories h JOIN conversations c ON c.id = h.conversation_id WHERE c.nohp = '628111000006' ORDER BY h.id`,
    );
    expect(events).toEqual([
      { event: 'created', from_status: null, to_status: 0, episode: 1 },
      { event: 'reopen', from_status: 3, to_status: 0, episode: 2 },
    ]);
    expect(
      await chat.database.query(
        `SELECT status, episode, assignee_id, last_seq FROM conversations WHERE nohp = '628111000006'`,
      ),
    ).toEqual([{ status: 0, episode: 2, assignee_id: null, last_seq: 41 }]);
  });

  it('wakes a pending chat for its assignee, or for everybody', async () => {
    for (const [number, assignee, expected] of [
      ['628111000007', 'u-rina', 1],
      ['628111000008', null, 0],
    ] as const) {
      await chat.inbound({ number: `${number}@s.whatsapp.net`, id: `P-${number}` });
      await chat.database.query(`UPDATE conversations SET status = 2, assignee_id = $2 WHERE nohp = $1`, [
        number,
        assignee,
      ]);
      await chat.inbound({ number: `${number}@s.whatsapp.net`, id: `P2-${number}` });
      expect(
        await chat.database.query(`SELECT status, assignee_id FROM conversations WHERE nohp = $1`, [number]),
      ).toEqual([{ status: expected, assignee_id: assignee }]);
    }
  });

  it('without an id is one row however often it is delivered', async () => {
    const fields = message({ number: '628111000009@s.whatsapp.net', text: 'no id' });
    delete fields.id;
    await chat.call(callback, { body: form(fields) });
    await chat.call(callback, { body: form(fields) });
    expect(await count(`SELECT last_seq AS n FROM conversations WHERE nohp = '628111000009'`)).toBe(1);
  });

  it('written on the phone itself shows in the preview, without unread', async () => {
    await chat.inbound({ number: '628111000010@s.whatsapp.net', id: 'ME1', fromMe: 'true', text: 'dari hp' });
    expect(
      await chat.database.query(
        `SELECT unread_count, last_text, last_from_me, waiting_since FROM conversations WHERE nohp = '628111000010'`,
      ),
    ).toEqual([{ unread_count: 0, last_text: 'dari hp', last_from_me: true, waiting_since: null }]);
  });

  it('from a clock that runs ahead does not stay on top of the list', async () => {
    await chat.inbound({ number: '628111000011@s.whatsapp.net', id: 'AHEAD', timestamp: '4102444800' });
    expect(await count(`SELECT (last_at <= now())::int AS n FROM conversations WHERE nohp = '628111000011'`)).toBe(1);
  });

  it('with a file keeps the bytes and answers a link that opens them and cannot be altered', async () => {
    const { body } = await chat.call(callback, {
      body: form({
        ...message({ number: '628111000012@s.whatsapp.net', type: 'image', text: '', caption: 'foto' }),
        file: new Blob(['picture'], { type: 'image/png' }),
      }),
    });
    const { url, size, mimetype, type, caption } = (
      body as { data: { newChatInbox: { url: string; size: number; mimetype: string; type: string; caption: string } } }
    ).data.newChatInbox;
    expect({ size, mimetype, type, caption }).toEqual({
      size: 7,
      mimetype: 'image/png',
      type: 'image',
      caption: 'foto',
    });
    const path = url.replace(/^http:\/\/[^/]+/, '');
    const file = await chat.call(path);
    expect([file.status, file.body, file.headers.get('content-disposition')]).toEqual([200, 'picture', 'attachment']);
    expect((await chat.call(path.replace(/sig=(.)/, (_, first) => `sig=${first === '0' ? '1' : '0'}`))).status).toBe(
      404,
    );
    expect((await chat.call('/media/..%2f..%2fetc%2fpasswd?exp=9999999999&sig=x')).status).toBe(404);
  });

  it('with NUL characters, emoji and right-to-left text is stored', async () => {
    const { body } = await chat.call(callback, {
      body: message({ number: '628111000013@s.whatsapp.net', id: 'ODD', text: 'a\u0000b 😀 שלום' }),
    });
    expect((body as { data: { newChatInbox: { pesan: string } } }).data.newChatInbox.pesan).toBe('ab 😀 שלום');
  });
});
