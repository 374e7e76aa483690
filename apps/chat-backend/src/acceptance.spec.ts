import { caller, until } from '@platform/testing';
import { form, message, offlineService, RINA } from './chat.fixture';
import { openGate } from './database-gate.fixture';
import { startLifecycle, type Lifecycle, type Ref } from './features/lifecycle/lifecycle.fixture';
import { walkedRoutes } from './walk.cases.fixture';

// What the design's acceptance list asks of the whole service and no feature shows by itself
const UNAUTHENTICATED = { status: 'error', message: 'Unauthenticated' };
const NOT_FOUND = { status: 'error', message: 'Not Found' };

const routes = walkedRoutes(offlineService())
  .filter(([route]) => route.startsWith('POST /v1/'))
  .map(([route, walked]) => [route.slice('POST '.length), walked] as const);
const guarded = routes.filter(([, { guard }]) => guard === 'jwt');

type Listening = Awaited<ReturnType<Lifecycle['listen']>>;
let chat: Lifecycle;
let allowlisted: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
  allowlisted = await startLifecycle({ environment: { ALLOWED_IPS: '127.0.0.1' } });
});
afterAll(async () => {
  await allowlisted.stop();
  await chat.stop();
});

describe('the 83 routes (points 1 to 3)', () => {
  it('are 32 default ones, 24 of the admin, 24 of the CRM and the 3 further ones of the CRM', () => {
    const of = (wanted: string) => routes.filter(([, { spelling }]) => spelling === wanted).length;
    expect([routes.length, of('default'), of('admin'), of('crm')]).toEqual([83, 32, 24, 27]);
  });

  it.each(routes)('%s is there, by POST only', async (path) => {
    const posted = await chat.post(path, {});
    expect(posted.status).not.toBe(404);
    expect(posted.status).toBeLessThan(500);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await chat.call(path, { method, token: chat.people.boss })).toMatchObject({
        status: 404,
        body: NOT_FOUND,
      });
  });

  it.each(guarded)('%s wants a token before it reads the body, unless the address is listed', async (path) => {
    for (const body of [{}, '{broken']) {
      const refused = await chat.post(path, body, { token: '' });
      expect([refused.status, refused.body]).toEqual([401, UNAUTHENTICATED]);
      expect((await allowlisted.post(path, body, { token: '' })).status).not.toBe(401);
    }
  });
});

const callback = (fields: Record<string, string>, as: Lifecycle = chat) =>
  as.call('/v1/callback_message', { body: form(fields) });
const rows = (where: string, values: unknown[]) =>
  chat.database.query(`SELECT m.seq, m.pesan_id, m.wa_id, m.status_ack FROM messages m WHERE ${where}`, values);

/** Rina's message, which is at the gateway and gets no answer before its release. */
const sendHeld = async (pesan_id: string, pesan: string) => {
  const ref = await chat.newChat();
  let release = (): void => undefined;
  chat.gateway.held.set(pesan_id, new Promise<void>((resolve) => (release = resolve)));
  await chat.as(chat.people.rina, 'send_message', { ...ref, pesan, pesan_id });
  await until(() => chat.gateway.calls.some(({ pesanId }) => pesanId === pesan_id));
  return { ref, release };
};

describe('a message that comes more than once (points 8, 12)', () => {
  it('fifty times at once and once more is one row, unread once, answered alike', async () => {
    const ref = await chat.newChat();
    await chat.as(chat.people.rina, 'chat_markread', ref);
    const fields = message({ number: `${ref.nohp}@s.whatsapp.net`, id: 'FIFTY' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => callback(fields)));
    const bodies = new Set(
      [...answers, await callback(fields)].map(({ status, body }) => `${status} ${JSON.stringify(body)}`),
    );
    expect(chat.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect([...bodies]).toEqual([expect.stringMatching(/^200 /)]);
    expect(await rows(`m.pesan_id = $1`, ['FIFTY'])).toHaveLength(1);
    expect(await chat.row(ref)).toMatchObject({ unread_count: 1, last_seq: 2 });
  });

  it('our own, echoed while it is being sent and after, is one row', async () => {
    const { ref, release } = await sendHeld('ECHO', 'gema');
    const echo = (id: string) =>
      callback(message({ number: `${ref.nohp}@s.whatsapp.net`, id, fromMe: 'true', text: 'gema' }));
    expect((await echo('WA-UNKNOWN-YET')).body).toEqual({
      result: false,
      message: 'chat sedang diproses, coba lagi',
      code: 'chat_busy',
    });
    release();
    const [sent] = await until(
      () => rows('m.pesan_id = $1 AND m.wa_id IS NOT NULL', ['ECHO']),
      (found) => found.length === 1,
    );
    for (const id of [sent?.wa_id as string, 'ECHO'])
      expect((await echo(id)).body).toMatchObject({
        result: true,
        data: { newChatInbox: { pesan_id: 'ECHO', seq: 2 } },
      });
    expect(await chat.row(ref)).toMatchObject({ last_seq: 2, unread_count: 1 });
  });
});

describe('an acknowledgement that overtakes the answer to its send (point 13)', () => {
  it('is applied by our own id; by WhatsApp’s alone it is not found yet, and applied when it comes again', async () => {
    const { ref, release } = await sendHeld('EARLY', 'cepat');
    const number = `${ref.nohp}@s.whatsapp.net`;
    const ack = (id: string, status: string, more = {}) =>
      callback({ instanceID: 'dev1', result: 'true', report: 'true', number, id, status, ...more });
    const unknown = { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' };
    expect((await ack('WA-FUTURE', 'sent')).body).toEqual(unknown);
    const named = { rawMessage: JSON.stringify({ pesan_id: 'EARLY' }) };
    expect((await ack('WA-FUTURE', 'sent', named)).body).toEqual({ result: true, message: 'updated status' });
    expect(await rows('m.pesan_id = $1', ['EARLY'])).toMatchObject([{ wa_id: 'WA-FUTURE', status_ack: 1 }]);
    expect((await ack('WA-FUTURE', 'delivered')).body).toEqual({ result: true, message: 'updated status' });
    release();
    expect(await rows('m.pesan_id = $1', ['EARLY'])).toMatchObject([{ wa_id: 'WA-FUTURE', status_ack: 2 }]);
  });
});

interface Page {
  readonly indexlist: string[];
  readonly next_cursor: string | null;
}
const list = async (more: object, token = chat.people.tono) =>
  (await chat.as(token, 'chat_list', { nohp: '-', instance: 'vip', team: '4', ...more })).body as Page;
const walk = async (between: (page: number) => Promise<unknown> = async () => undefined) => {
  const seen: string[] = [];
  for (let cursor: string | null | undefined, page = 0; cursor !== null; page++) {
    const { indexlist, next_cursor } = await list({ limit: '200', ...(cursor ? { cursor } : {}) });
    seen.push(...indexlist);
    cursor = next_cursor;
    await between(page);
  }
  return seen;
};

describe('a walk over a thousand chats (point 17)', () => {
  beforeAll(() =>
    chat.database.query(`
      WITH people AS (
        INSERT INTO customers (store_id, id, nohp, nama) SELECT 'S1', uuidv7(), '62866' || lpad(n::text, 7, '0'), 'Orang ' || n FROM generate_series(1, 1000) n RETURNING id, nohp)
      INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, last_text)
      SELECT 'S1', uuidv7(), 'vip', p.nohp, '4', p.id, 0, now() - interval '1 day' - right(p.nohp, 4)::int / 3 * interval '1 second', 'x' FROM people p`),
  );

  it('shows each exactly once, also those of the same second', async () => {
    const seen = await walk();
    expect([seen.length, new Set(seen).size]).toEqual([1000, 1000]);
  });

  it('never fails under traffic: no chat comes twice that stood still, and what moved is on page one', async () => {
    const before = await walk();
    const moved = before.slice(500, 520);
    const now = String(Math.floor(Date.now() / 1000));
    const numbers = await chat.database.query<{ nohp: string }>(
      `SELECT nohp FROM conversations WHERE store_id || '.' || id = ANY ($1)`,
      [moved],
    );
    const seen = await walk((page) =>
      Promise.all(
        numbers
          .slice(page * 4, page * 4 + 4)
          .map(({ nohp }) => chat.inbound({ number: `${nohp}@s.whatsapp.net`, instanceID: 'vip', timestamp: now })),
      ),
    );
    const still = before.filter((id) => !moved.includes(id));
    expect(seen.filter((id) => still.includes(id))).toEqual(still);
    expect((await list({ limit: '20' })).indexlist.sort()).toEqual([...moved].sort());
  });
});

describe('an agent of another team (point 18)', () => {
  it('finds nothing of a private team by any search', async () => {
    const nohp = '628770000001';
    await chat.inbound({
      number: `${nohp}@s.whatsapp.net`,
      instanceID: 'vip',
      name: 'Rahasia',
      text: 'kata sandi',
      id: 'SECRET',
    });
    const { body } = await chat.as(chat.people.tono, 'chat_list', {
      nohp: '-',
      instance: 'vip',
      team: '4',
      search: nohp,
    });
    expect(body).toMatchObject({ indexlist: [expect.any(String)] });
    const mine = { nohp: '-', instance: 'all', team: 'all' };
    for (const more of [
      { search: 'Rahasia', searchType: 'nama' },
      { search: nohp, searchType: 'nohp' },
      { search: 'sandi', searchType: 'pesan' },
      { keyword: 'Rahasia' },
      { keyword: 'sandi' },
    ])
      expect([more, (await list({ ...mine, ...more }, chat.people.rina)).indexlist]).toEqual([more, []]);
  });
});

describe('sending (point 24)', () => {
  it('one stuck chat delays no other, and its own order stays', async () => {
    const [stuck, free] = [await chat.newChat(), await chat.newChat()] as [Ref, Ref];
    let release = (): void => undefined;
    chat.gateway.held.set('STUCK-0', new Promise<void>((resolve) => (release = resolve)));
    const send = (ref: Ref, pesan_id: string) =>
      chat.as(chat.people.rina, 'send_message', { ...ref, pesan: pesan_id, pesan_id });
    for (let n = 0; n < 5; n++) {
      await send(stuck, `STUCK-${n}`);
      await send(free, `FREE-${n}`);
    }
    const called = (prefix: string) =>
      chat.gateway.calls.filter(({ pesanId }) => pesanId.startsWith(prefix)).map(({ pesanId }) => pesanId);
    const order = (prefix: string) => Array.from({ length: 5 }, (_, n) => `${prefix}-${n}`);
    await until(() => called('FREE').length === 5);
    expect([called('FREE'), called('STUCK')]).toEqual([order('FREE'), ['STUCK-0']]);
    release();
    await until(() => called('STUCK').length === 5);
    expect(called('STUCK')).toEqual(order('STUCK'));
  });
});

describe('limits (point 30)', () => {
  it('413 for more than 1 MB of JSON', async () => {
    const { status, body } = await chat.as(chat.people.rina, 'chat_inbox', {
      ...(await chat.newChat()),
      x: 'x'.repeat(1024 * 1024),
    });
    expect([status, body]).toEqual([413, { error: expect.any(String) }]);
  });
});

describe('a status that there is not (point 17)', () => {
  it('422, with the ones that there are', async () => {
    const body = { nohp: '-', instance: 'dev1', team: '3', status: 'besok' };
    const answer = await chat.as(chat.people.rina, 'chat_list', body);
    const message = 'status must be one of [all open handle pending finish unread escalate]';
    expect([answer.status, answer.body]).toEqual([422, { errors: [{ field: 'status', tag: 'oneof', message }] }]);
  });
});

describe('a socket (point 31)', () => {
  it('is told when its token ends, and closed; a newer token of the same person keeps it', async () => {
    const ending = () => chat.tokens.tokenFor({ sub: 'u-rina', exp: Math.floor(Date.now() / 1000) + 2 });
    /** Whoever is slower than their token lives begins again. */
    const inTime = () => until(() => chat.listen(ending()).catch(() => undefined)) as Promise<Listening>;
    const refreshed = async () => {
      const { socket } = await inTime();
      const over = new Promise<undefined>((resolve) => socket.once('disconnect', () => resolve(undefined)));
      const told: unknown = await Promise.race([socket.emitWithAck('authRefresh', { token: chat.people.rina }), over]);
      return told ? { socket, told } : undefined;
    };
    const kept = await until(refreshed);
    expect(kept?.told).toMatchObject({ result: true });
    const left = await inTime();
    await until(() => !left.socket.connected);
    expect(left.heard.at(-1)?.name).toBe('authExpired');
    expect(kept?.socket.connected).toBe(true);
  });

  it('hears nothing of what was not committed', async () => {
    const rina = await chat.listen(chat.people.rina);
    const ref = await chat.newChat();
    await until(() => rina.heard.some(({ payload }) => payload.chat_list?.chatId === ref.chatId));
    await chat.database.query(`
      CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER refuse_note BEFORE INSERT ON chat_histories FOR EACH ROW WHEN (NEW.catatan = 'roll back') EXECUTE FUNCTION refuse_note()`);
    const before = rina.heard.length;
    expect((await chat.as(chat.people.rina, 'chat_pending', { ...ref, catatan: 'roll back' })).status).toBe(500);
    await chat.as(chat.people.rina, 'chat_pending', { ...ref, catatan: 'kept' });
    await until(() => rina.heard.length > before);
    expect(rina.heard.slice(before).map(({ payload }) => payload.chat_list?.status)).toEqual(
      rina.heard.slice(before).map(({ name }) => (name === 'updateChatlist' ? 'pending' : undefined)),
    );
    expect(await chat.events(ref)).toEqual(['pending']);
  });
});

describe('a client that comes back to another replica (point 32)', () => {
  it('gets by its seqs exactly what it missed, when the first one is gone', async () => {
    const other = await startLifecycle({
      keys: chat.tokens.keys,
      environment: { DATABASE_URL: chat.database.url, DEVICE_POLL_S: '0' },
    });
    const ref = await chat.newChat();
    const rina = await other.listen(chat.people.rina);
    expect(await rina.join(ref)).toEqual({ result: true });
    await other.stop();
    const missed = ['satu', 'dua', 'tiga'];
    for (const text of missed) await chat.inbound({ number: `${ref.nohp}@s.whatsapp.net`, text });
    const { socket } = await chat.listen(chat.people.rina);
    const answer = (await socket.emitWithAck('sync', { chats: { [ref.chatId]: 1 } })) as {
      chats: Record<string, { inbox: { pesan: string; seq: number }[]; last_seq: number }>;
    };
    expect(answer.chats[ref.chatId]?.inbox.map(({ pesan, seq }) => [seq, pesan])).toEqual(
      missed.map((text, index) => [index + 2, text]),
    );
  });
});

describe('statements per request (point 38)', () => {
  it('are at most two for a page of the list and one for a message, whatever the list holds', async () => {
    const door = await openGate(chat.database.url);
    const counted = await startLifecycle({
      keys: chat.tokens.keys,
      environment: { DATABASE_URL: door.url, DEVICE_POLL_S: '0' },
    });
    const post = caller(counted.url);
    const token = chat.tokens.tokenFor({ ...RINA, role: 'owner', teams: [] });
    /** The least of several: what works in the background asks now and then too. */
    const least = async (call: () => Promise<{ body: unknown }>) => {
      const counts: number[] = [];
      for (let n = 0; n < 6; n++) {
        const before = door.statements();
        expect((await call()).body).toMatchObject({ result: true });
        counts.push(door.statements() - before);
      }
      return Math.min(...counts);
    };
    const body = { nohp: '-', instance: 'vip', team: '4', limit: '200' };
    expect(await least(() => post('/v1/chat_list', { token, body }))).toBeLessThanOrEqual(2);
    expect(
      await least(() => callback(message({ number: '628880000001@s.whatsapp.net' }), counted)),
    ).toBeLessThanOrEqual(1);
    await counted.stop();
    door.end();
  });
});
