import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openJobs, type Jobs } from '@platform/jobs';
import { requestContext, Sends, silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import type { BotQuestion } from '../../clients/bot.client';
import { FakeBot } from '../../clients/bot.fake';
import { form, message } from '../../chat.fixture';
import { closeClients, openClient } from '../sockets/sockets.fixture';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('a picture')]);
const OGG = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(100, 'a')]);
const bot = new FakeBot();
let chat: Lifecycle;
let shop: Server;
let shopUrl: string;
let jobs: Jobs<Record<string, object>>;
beforeAll(async () => {
  shop = createServer((request, response) =>
    request.url === '/gone.jpg' ? response.writeHead(404).end() : response.end(JPEG),
  );
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(shop.address() as AddressInfo).port}`;
  shopUrl = `http://${host}`;
  chat = await startLifecycle({ bot, environment: { MEDIA_URL_ALLOW: `http://${host}/` } });
  jobs = openJobs({
    database: chat.database,
    logger: silentLogger,
    schema: 'chat_backend_jobs',
    tasks: {},
    sends: new Sends(),
  });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1';
    INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina'), ('S1', '4', 'u-tono')`);
});
afterAll(async () => {
  closeClients();
  await chat.stop();
  shop.close();
});

let numbers = 0;
const newNumber = () => `62870${String(++numbers).padStart(7, '0')}`;
const said = (nohp: string) =>
  chat.database.query(
    `SELECT m.pesan_id, m.type, m.pesan, m.caption, m.media->>'mimetype' AS mimetype, m.role FROM messages m JOIN conversations c ON c.id = m.conversation_id
     WHERE c.nohp = $1 AND m.from_me ORDER BY m.seq`,
    [nohp],
  );
const answers = (nohp: string, count: number) =>
  until(
    () => said(nohp),
    (rows) => rows.length >= count,
  );
const ask = (nohp: string, fields: Record<string, string> = {}) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, ...fields });
const events = (nohp: string) =>
  chat.database.query(
    `SELECT h.event, h.actor_type, h.catatan FROM chat_histories h JOIN conversations c ON c.id = h.conversation_id WHERE c.nohp = $1 AND h.event <> 'created' ORDER BY h.id`,
    [nohp],
  );
const text = (pesan_id: string, pesan: string) => ({
  pesan_id,
  type: 'chat',
  pesan,
  caption: null,
  mimetype: null,
  role: 'bot',
});
const picture = (pesan_id: string, caption: string | null = null) => ({
  pesan_id,
  type: 'image',
  pesan: null,
  caption,
  mimetype: 'image/jpeg',
  role: 'bot',
});

describe("the bot's answer", () => {
  it('brings texts and pictures in order; a picture that cannot be had goes as its address', async () => {
    const nohp = newNumber();
    bot.next.push(() => ({
      kind: 'answered',
      bubbles: [
        { id: 'b-1', text: 'ini kak' },
        { id: 'b-2', picture: `${shopUrl}/shoe.jpg` },
        { id: 'b-3', picture: `${shopUrl}/gone.jpg` },
      ],
    }));
    await ask(nohp);
    expect(await answers(nohp, 3)).toEqual([
      text('b-1', 'ini kak'),
      picture('b-2'),
      text('b-3', `${shopUrl}/gone.jpg`),
    ]);
    await until(() => chat.gateway.calls.some(({ pesanId }) => pesanId === 'b-3'));
    expect(chat.gateway.calls.filter(({ number }) => number === nohp).map(({ pesanId }) => pesanId)).toEqual([
      'b-1',
      'b-2',
      'b-3',
    ]);
  });

  it('that comes after somebody took the chat is dropped, which its history says once', async () => {
    const nohp = newNumber();
    bot.next.push(async () => {
      await chat.as(chat.people.rina, 'handle_chat', { nohp, instance: 'dev1', team: '3' });
      return { kind: 'answered', bubbles: [{ id: 'late-1', text: 'terlambat' }] };
    });
    await ask(nohp, { id: 'LATE' });
    const noted = await until(
      () => events(nohp),
      (rows) => rows.length === 2,
    );
    expect(noted).toEqual([
      { event: 'handle', actor_type: 'user', catatan: null },
      { event: 'bot_dropped', actor_type: 'bot', catatan: 'LATE' },
    ]);
    expect(await said(nohp)).toEqual([]);
    expect((await chat.as(chat.people.rina, 'chat_inbox', { nohp, instance: 'dev1', team: '3' })).body).toMatchObject({
      history: [{ event: 'created' }, { event: 'handle' }, { event: 'bot_dropped', from_status: 'handle' }],
    });
  });

  it('that comes after a person has answered and given the chat back is not sent either', async () => {
    const nohp = newNumber();
    const to = { nohp, instance: 'dev1', team: '3' };
    bot.next.push(async () => {
      await chat.as(chat.people.rina, 'send_message', { ...to, pesan: 'ada kak' });
      await chat.as(chat.people.rina, 'chat_open', to);
      return { kind: 'answered', bubbles: [{ id: 'late-2', text: 'tidak ada' }] };
    });
    await ask(nohp, { id: 'OVER' });
    await until(async () => (await events(nohp)).some(({ event }) => event === 'bot_dropped'));
    expect((await said(nohp)).map(({ pesan }) => pesan)).toEqual(['ada kak']);
  });

  it('that was stored before is not noted as dropped when its job runs again', async () => {
    const nohp = newNumber();
    const answer = { kind: 'answered', bubbles: [{ id: 'same-1', text: 'sama' }] } as const;
    bot.next.push(
      () => answer,
      async () => {
        await chat.as(chat.people.rina, 'handle_chat', { nohp, instance: 'dev1', team: '3' });
        return answer;
      },
    );
    await ask(nohp, { id: 'SAME' });
    await answers(nohp, 1);
    await chat.database.query(
      `SELECT chat_backend_jobs.add_job('automation', json_build_object('storeId', store_id, 'conversationId', conversation_id, 'seq', seq)) FROM messages WHERE pesan_id = 'SAME'`,
    );
    await until(() => bot.questions.filter(({ idMessage }) => idMessage === 'SAME').length === 2);
    await until(async () => (await events(nohp)).length > 0);
    const running = `SELECT 1 FROM chat_backend_jobs.jobs WHERE task_identifier IN ('automation', 'bot.ask') AND attempts < max_attempts`;
    await until(async () => (await chat.database.query(running)).length === 0);
    expect((await events(nohp)).map(({ event }) => event)).toEqual(['handle']);
  });
});

describe('a question that the bot was not there for', () => {
  const again = (id: string) =>
    chat.database.query<{ id: string }>(
      `SELECT j.id::text FROM chat_backend_jobs.jobs j JOIN messages m ON m.pesan_id = $1
       AND j.key = 'bot.' || m.store_id || '.' || m.conversation_id || '.' || m.seq || '.1'`,
      [id],
    );
  /** Asked in vain, to be asked again. */
  const missed = async (id: string) => {
    const nohp = newNumber();
    bot.next.push(() => ({ kind: 'later', afterSeconds: 600, reason: 'bot-engine answered 503' }));
    await ask(nohp, { id, text: 'ada?' });
    const jobs = await until(
      () => again(id),
      ({ length }) => length === 1,
    );
    const isDue = async () => {
      const ids = jobs.map((job) => job.id);
      await chat.database.query('SELECT chat_backend_jobs.reschedule_jobs($1::bigint[], now())', [ids]);
      await until(async () => (await again(id)).length === 0);
    };
    return { nohp, to: { nohp, instance: 'dev1', team: '3' }, isDue };
  };
  const words = async (nohp: string) => (await said(nohp)).map(({ pesan }) => pesan);
  const timesAsked = (id: string) => bot.questions.filter(({ idMessage }) => idMessage === id).length;

  it('is not asked again once people had the chat, though it is the bot’s again', async () => {
    const { nohp, to, isDue } = await missed('AWAY');
    await chat.as(chat.people.rina, 'send_message', { ...to, pesan: 'ada kak' });
    await chat.as(chat.people.rina, 'chat_finish', to);
    await ask(nohp, { id: 'THANKS', text: 'makasih' });
    await answers(nohp, 2);
    await isDue();
    expect(await words(nohp)).toEqual(['ada kak', 'jawab makasih']);
    expect(timesAsked('AWAY')).toBe(1);
  });

  it('is not asked again once a person has answered and given the chat back', async () => {
    const { nohp, to, isDue } = await missed('GIVEN');
    await chat.as(chat.people.rina, 'send_message', { ...to, pesan: 'ada kak' });
    await chat.as(chat.people.rina, 'chat_open', to);
    await isDue();
    expect([await words(nohp), timesAsked('GIVEN')]).toEqual([['ada kak'], 1]);
  });

  it('is asked again when a person who had the chat gave it back without a word', async () => {
    const { nohp, to, isDue } = await missed('LOOKED');
    await chat.as(chat.people.rina, 'chat_handle', to);
    await chat.as(chat.people.rina, 'chat_open', to);
    await isDue();
    await answers(nohp, 1);
    expect([await words(nohp), timesAsked('LOOKED')]).toEqual([['jawab ada?'], 2]);
  });

  describe('by a process whose clock is an hour off', () => {
    const realNow = Date.now.bind(Date);
    const off = (hours: number) => jest.spyOn(Date, 'now').mockImplementation(() => realNow() + hours * 3_600_000);
    afterEach(() => jest.restoreAllMocks());

    it('is asked again after its pause all the same', async () => {
      off(1);
      await missed('AHEAD');
      const late = `SELECT 1 FROM chat_backend_jobs.jobs WHERE task_identifier = 'bot.ask' AND run_at > now() + interval '11 minutes'`;
      expect(await chat.database.query(late)).toEqual([]);
    });

    it('is asked on by others, who have not asked for long', async () => {
      const later = { kind: 'later', afterSeconds: 0.05, reason: 'bot-engine answered 503' } as const;
      bot.next.push(
        () => (off(-1), later),
        () => (jest.restoreAllMocks(), later),
      );
      await ask(newNumber(), { id: 'BEHIND', text: 'ada?' });
      const waiting = `SELECT 1 FROM chat_backend_jobs.jobs WHERE task_identifier = 'bot.ask' AND attempts < max_attempts AND run_at < now() + interval '1 minute'`;
      await until(async () => timesAsked('BEHIND') > 1 && (await chat.database.query(waiting)).length === 0);
      expect(timesAsked('BEHIND')).toBe(3);
    });
  });
});

describe('what the bot pushes', () => {
  it("may be a picture of our own services, as often as it likes; a client's may not", async () => {
    const nohp = newNumber();
    await chat.inbound({ number: `${nohp}@s.whatsapp.net`, instanceID: 'vip' });
    const ref = { nohp, instance: 'vip', team: '4' };
    const url = `${shopUrl}/shoe.jpg`;
    const push = (pesan_id: string, of: string, token = chat.people.bot) =>
      chat.as(token, 'send_image', { ...ref, pesan_id, url: of, if_status: 'open' });
    for (const id of ['p-1', 'p-1', 'p-2'])
      expect((await push(id, id === 'p-2' ? `${shopUrl}/gone.jpg` : url)).body).toMatchObject({ result: true });
    expect(await said(nohp)).toEqual([picture('p-1'), text('p-2', `${shopUrl}/gone.jpg`)]);
    expect((await push('p-3', url, chat.people.boss)).status).toBe(422);
  });
});

describe('a bot that will not answer', () => {
  /** The first try goes well, then the same question is asked in its tenth minute: only that gives up. */
  const askedTooLong = async (nohp: string, id: string) => {
    await ask(nohp, { id, text: 'ada?' });
    await answers(nohp, 1);
    bot.next.push(() => ({ kind: 'later', afterSeconds: 1, reason: 'bot-engine answered 503' }));
    await chat.database.query(
      `SELECT chat_backend_jobs.add_job('automation', json_build_object('storeId', m.store_id, 'conversationId', m.conversation_id, 'seq', m.seq, 'attempt', 9, 'since', 1000 * extract(epoch FROM now()) - 600_001))
       FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.seq = 1`,
      [nohp],
    );
  };
  const teamIsTold = async (nohp: string, act: () => Promise<unknown>) => {
    const rina = await openClient<{ judul?: string; isi?: string; chatId?: string }>(chat.url, chat.people.rina);
    await act();
    await until(() => rina.named('notif').some(({ payload }) => payload.judul === 'Bot tidak menjawab'));
    expect(rina.named('notif').at(-1)?.payload).toMatchObject({
      judul: 'Bot tidak menjawab',
      isi: 'Budi: ada?',
      nohp,
      count: 2,
    });
    rina.socket.close();
  };

  it('because it has been asked for ten minutes leaves a dead job to replay and tells the team', async () => {
    const nohp = newNumber();
    const before = (await jobs.backlog()).dead;
    await teamIsTold(nohp, () => askedTooLong(nohp, 'LONG'));
    expect((await jobs.backlog()).dead).toBe(before + 1);
    const [dead] = await jobs.dead(1);
    expect(dead).toMatchObject({ task: 'bot.ask', error: 'bot-engine answered 503' });
  });

  it.each([404, 422])(
    'because it refuses with %i tells the team and leaves no dead job for each message',
    async (status) => {
      const nohp = newNumber();
      const before = (await jobs.backlog()).dead;
      bot.next.push(() => ({ kind: 'refused', reason: `bot-engine answered ${status}` }));
      await teamIsTold(nohp, () => ask(nohp, { text: 'ada?' }));
      expect((await jobs.backlog()).dead).toBe(before);
      const told = chat.log.filter((line) => line.includes(`bot-engine answered ${status}`));
      expect(told).toEqual([expect.stringContaining('"level":"warn"')]);
    },
  );

  it('is asked anew when the dead job is replayed', async () => {
    const nohp = newNumber();
    const before = (await jobs.backlog()).dead;
    await askedTooLong(nohp, 'REPLAY');
    await until(async () => (await jobs.backlog()).dead === before + 1);
    const asked = () => bot.questions.filter(({ idMessage }) => idMessage === 'REPLAY').length;
    const times = asked();
    const [dead] = await jobs.dead(1);
    expect(await jobs.replay(dead?.id ?? '')).toBe(true);
    await until(() => asked() === times + 1);
  });
});

describe('a question to the bot', () => {
  const question = (id: string) => until(async () => bot.questions.find(({ idMessage }) => idMessage === id));
  const withFile = (nohp: string, fields: Record<string, string>, bytes: Buffer, type: string) =>
    chat.call('/v1/callback_message', {
      body: form({
        ...message({ number: `${nohp}@s.whatsapp.net`, text: '', ...fields }),
        file: new Blob([new Uint8Array(bytes)], { type }),
      }),
    });
  const link = expect.stringMatching(/\/media\/[0-9a-f]{32}\?exp=\d+&sig=[0-9a-f]{32}$/) as string;

  it('has the link of a picture or a recording, with its words or its label, and names a place', async () => {
    await withFile(newNumber(), { id: 'SEEN', type: 'image' }, JPEG, 'image/jpeg');
    await withFile(newNumber(), { id: 'WORDS', type: 'image', caption: 'ini ada?' }, JPEG, 'image/jpeg');
    await withFile(newNumber(), { id: 'HEARD', type: 'audio' }, OGG, 'audio/ogg');
    await ask(newNumber(), { id: 'PLACE', text: '', latitude: '-6.2', longitude: '106.8', locationName: 'Monas' });
    const told = async (id: string) => {
      const { message: words, images, audio } = (await question(id)) as BotQuestion;
      return { words, images, audio };
    };
    const none = { images: undefined, audio: undefined };
    expect(await told('SEEN')).toEqual({ ...none, words: '[gambar]', images: [link] });
    expect(await told('WORDS')).toEqual({ ...none, words: 'ini ada?', images: [link] });
    expect(await told('HEARD')).toEqual({ ...none, words: '[audio]', audio: [link] });
    expect(await told('PLACE')).toEqual({ ...none, words: '[lokasi: -6.2,106.8 Monas]' });
  });
});

describe('the reply of a keyword rule', () => {
  it.each([
    ['a picture with words', { text: 'Katalog', url: '/k.jpg', type: 'image' }, () => picture('', 'Katalog')],
    ['a picture alone', { url: '/k.jpg', type: 'image' }, () => picture('')],
    [
      'no picture after all',
      { text: 'Suara', url: '/k.jpg', type: 'video' },
      () => text('', `Suara\n${shopUrl}/k.jpg`),
    ],
    ['words with a link', { text: 'Lihat', url: '/k', type: 'link' }, () => text('', `Lihat\n${shopUrl}/k`)],
  ])('is %s', async (_, reply, expected) => {
    const nohp = newNumber();
    const url = `${shopUrl}${reply.url}`;
    await chat.database.query(
      `INSERT INTO rules (store_id, id, position, match, keywords, reply) VALUES ('S1', 'R', 1, 'exact', '{katalog}', $1)
       ON CONFLICT (store_id, id) DO UPDATE SET reply = excluded.reply`,
      [JSON.stringify({ ...reply, url })],
    );
    await ask(nohp, { text: 'katalog' });
    expect(await answers(nohp, 1)).toEqual([{ ...expected(), pesan_id: expect.any(String) }]);
  });
});

it('a question to the bot is in the trace of the request that brought the message, over the jobs between them', async () => {
  const traceId = 'ab'.repeat(16);
  let trace: string | undefined;
  bot.next.push(() => {
    trace = requestContext()?.traceId;
    return { kind: 'answered', bubbles: [] };
  });
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const body = form(message({ number: `${newNumber()}@s.whatsapp.net` }));
  expect((await chat.call('/v1/callback_message', { headers, body })).status).toBe(200);
  expect(await until(() => trace)).toBe(traceId);
});
