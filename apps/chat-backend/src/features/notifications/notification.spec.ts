import { until } from '@platform/testing';
import { form, SERVICE, startChat, type Chat } from '../../chat.fixture';
import { closeClients, openClient } from '../sockets/sockets.fixture';

let chat: Chat;
const SITI = { sub: 'u-siti', teams: ['3'] };
const REF = { nohp: '628100000001', instance: 'dev1', team: '3' };
const say = (fields: Record<string, string> = {}) =>
  chat.inbound({ number: '628100000001@s.whatsapp.net', name: 'Budi', ...fields });
const as = async (claims: object, path: string, body: object = {}) =>
  (await chat.post(`/v1/${path}`, body, { token: chat.tokens.tokenFor(claims) })).body;
const rina = (path: string, body: object = {}) => as({ sub: 'u-rina' }, path, body);

interface Listed {
  data: { notifId: string; type: string; count: number; is_read: boolean; isi: string; pesan_id: string }[];
  unread: number;
  next_cursor: string | null;
}
const listed = async (claims: object, body: object = {}) => (await as(claims, 'get_notif', body)) as Listed;
const BOT = { sub: 'svc:bot-engine', role: 'bot', typ: 'service+jwt', teams: [] };
const FAILED = 'SELECT 1 FROM messages WHERE pesan_id = $1 AND failed_at IS NOT NULL';
const NOT_FOUND = { result: false, message: 'notifikasi tidak ditemukan', code: 'notif_not_found' };

beforeAll(async () => {
  chat = await startChat();
  await chat.database.query(
    `INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina'), ('S1', '3', 'u-siti'), ('S1', '4', 'u-vip')`,
  );
});
afterAll(() => chat.stop());

describe('a chat that begins', () => {
  it('notifies the members of its team, and nobody else', async () => {
    await say({ id: 'N1', text: 'stok ada?', timestamp: '1763620860' });
    const expected = {
      result: true,
      data: [
        {
          notifId: expect.stringMatching(/^S1\.[0-9a-f-]{36}$/),
          type: 'new_chat',
          judul: 'Chat baru',
          isi: 'Budi: stok ada?',
          chatId: expect.stringMatching(/^S1\.[0-9a-f-]{36}$/),
          ...REF,
          pesan_id: 'N1',
          count: 1,
          is_read: false,
          waktu: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
          timestamp: expect.any(Number),
          read_at: null,
        },
      ],
      unread: 1,
      next_cursor: null,
    };
    expect(await rina('get_notif')).toEqual(expected);
    expect(await as(SITI, 'get_notif')).toEqual(expected);
    expect(await as({ sub: 'u-vip', teams: ['4'] }, 'get_notif')).toEqual({
      result: true,
      data: [],
      unread: 0,
      next_cursor: null,
    });
  });

  it('is not told again by its next messages, and one that comes back is', async () => {
    await say({ id: 'N2' });
    await chat.database.query(`UPDATE conversations SET status = 3 WHERE nohp = $1`, [REF.nohp]);
    await say({ id: 'N3', text: 'masih?' });
    const { data, unread } = await listed(SITI);
    expect(data).toMatchObject([{ type: 'new_chat', count: 2, isi: 'Budi: masih?', pesan_id: 'N3' }]);
    expect(unread).toBe(1);
  });
});

describe('a chat that is handled', () => {
  it('notifies its assignee of messages, as one that counts; a redelivery does not count', async () => {
    await chat.database.query(`UPDATE conversations SET status = 1, assignee_id = 'u-rina' WHERE nohp = $1`, [
      REF.nohp,
    ]);
    await Promise.all(Array.from({ length: 10 }, (_, index) => say({ id: `W${index}` })));
    await say({ id: 'W0' });
    await say({ id: 'OWN', fromMe: 'true' });
    const { data } = await listed({ sub: 'u-rina' }, { type: 'message' });
    expect(data).toMatchObject([{ type: 'message', count: 10 }]);
    expect((await listed(SITI, { type: 'message' })).data).toEqual([]);
    expect(await rina('get_totalnotif')).toEqual({ result: true, data: { total: 2, unread: 2 }, total: 2 });
  });

  it("that is read clears the reader's notifications, not those of others", async () => {
    for (let times = 0; times < 2; times++) await rina('chat_markread', REF);
    expect(await rina('get_totalnotif')).toMatchObject({ data: { total: 2, unread: 0 } });
    expect(await as(SITI, 'get_totalnotif')).toMatchObject({ data: { total: 1, unread: 1 } });
    await say({ id: 'W-AFTER' });
    const { data } = await listed({ sub: 'u-rina' }, { is_read: 'false' });
    expect(data).toMatchObject([{ type: 'message', count: 1, pesan_id: 'W-AFTER' }]);
  });

  it('tells the sender of a send that will never arrive, once', async () => {
    await chat.post(
      '/v1/send_message',
      { ...REF, pesan: 'halo', pesan_id: 'LOST' },
      { token: chat.tokens.tokenFor(SITI) },
    );
    await chat.database.query(
      `UPDATE messages SET status_ack = 0, error = NULL, failed_at = NULL WHERE pesan_id = 'LOST'`,
    );
    const failed = {
      instanceID: 'dev1',
      result: 'true',
      report: 'true',
      number: `${REF.nohp}@s.whatsapp.net`,
      id: 'LOST',
      status: 'pending',
      rawMessage: JSON.stringify({ pesan_id: 'LOST', failed: { code: 'NO_ACK' } }),
    };
    for (let times = 0; times < 2; times++) await chat.call('/v1/callback_message', { body: form(failed) });
    expect((await listed(SITI, { type: 'send_failed' })).data).toMatchObject([
      { count: 1, isi: 'halo', pesan_id: 'LOST' },
    ]);
  });
});

describe('a send that the gateway refuses for good', () => {
  it('of the bot or a service is told to who has the chat, else to its team, many as one', async () => {
    const to = { nohp: '628100000077', instance: 'dev1', team: '3' };
    await chat.inbound({ number: `${to.nohp}@s.whatsapp.net` });
    const failed = async (claims: object, pesan_id: string) => {
      chat.gateway.next.push({ status: 422, message: 'device logged out' });
      await as(claims, 'send_message', { ...to, pesan: `kata ${pesan_id}`, pesan_id });
      await until(async () => (await chat.database.query(FAILED, [pesan_id])).length === 1);
    };
    const told = () =>
      chat.database.query(
        `SELECT n.user_id, n.isi, n.count FROM notifications n JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id
         WHERE c.nohp = $1 AND n.type = 'send_failed' ORDER BY n.user_id`,
        [to.nohp],
      );
    for (const id of ['BOT-1', 'BOT-2']) await failed(BOT, id);
    expect(await told()).toEqual([
      { user_id: 'u-rina', isi: 'kata BOT-2', count: 2 },
      { user_id: 'u-siti', isi: 'kata BOT-2', count: 2 },
    ]);
    await rina('handle_chat', to);
    await failed({ ...SERVICE, store_id: 'S1' }, 'SERVICE-1');
    expect(await told()).toEqual([
      { user_id: 'u-rina', isi: 'kata SERVICE-1', count: 3 },
      { user_id: 'u-siti', isi: 'kata BOT-2', count: 2 },
    ]);
    // Others here count theirs
    await chat.database.query(
      `DELETE FROM notifications n USING conversations c WHERE c.id = n.conversation_id AND c.nohp = $1`,
      [to.nohp],
    );
  });

  it('shows its error, stays pending, and tells its sender at once', async () => {
    const siti = await openClient<{ type?: string }>(chat.url, chat.tokens.tokenFor(SITI));
    chat.gateway.next.push({ status: 422, message: 'number not registered' });
    const sent = { ...REF, pesan: 'tak sampai', pesan_id: 'REFUSED' };
    await chat.post('/v1/send_message', sent, { token: chat.tokens.tokenFor(SITI) });
    const note = await until(() => siti.named('notif').find(({ payload }) => payload.type === 'send_failed'));
    expect(note?.payload).toMatchObject({
      judul: 'Pesan tidak terkirim',
      isi: 'tak sampai',
      pesan_id: 'REFUSED',
      nohp: REF.nohp,
    });
    const { data } = (await rina('chat_inbox', REF)) as { data: object[] };
    expect(data.at(-1)).toMatchObject({
      pesan_id: 'REFUSED',
      status_ack: 'pending',
      error: 'number not registered',
      failed_at: expect.any(Number),
    });
    expect((await listed({ sub: 'u-rina' }, { type: 'send_failed' })).data).toEqual([]);
    closeClients();
  });
});

describe('a notification', () => {
  const make = (count: number, user = 'u-many') =>
    chat.database.query(
      `INSERT INTO notifications (store_id, user_id, type, judul, conversation_id)
       SELECT 'S1', $2, CASE WHEN n % 2 = 0 THEN 'sla' ELSE 'mention' END, 'Judul ' || n, NULL FROM generate_series(1, $1::int) n`,
      [count, user],
    );

  it('is shown once in a walk over the pages, newest first', async () => {
    await make(45);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await listed({ sub: 'u-many' }, cursor === undefined ? {} : { cursor });
      seen.push(...page.data.map(({ notifId }) => notifId));
      expect(page.unread).toBe(45);
      cursor = page.next_cursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([45, 45]);
    expect(seen).toEqual([...seen].sort().reverse());
    const forged = await as({ sub: 'u-siti' }, 'get_notif', { cursor: 'abc.def' });
    expect(forged).toMatchObject({ errors: [{ field: 'cursor', tag: 'cursor' }] });
  });

  it('is marked as read by id, one or many; a repeat changes nothing', async () => {
    const ids = (await listed({ sub: 'u-many' })).data.slice(0, 3).map(({ notifId }) => notifId);
    const marked = (updated: number) => ({ result: true, message: 'success mark as read', data: { updated } });
    const mark = (body: object) => as({ sub: 'u-many' }, 'markread_notif', body);
    expect(await mark({ notifId: ids[0] })).toEqual(marked(1));
    expect(await mark({ notifIds: ids })).toEqual(marked(2));
    expect(await mark({ notifIds: ids })).toEqual(marked(0));
    expect(await as({ sub: 'u-many' }, 'getdetail_notif', { notifId: ids[0] })).toMatchObject({
      data: { is_read: true, read_at: expect.any(Number), chatId: null },
      chat_list: null,
    });
    expect(await mark({})).toMatchObject({ errors: [{ field: 'notifId', tag: 'required_without' }] });
    expect(await mark({ notifIds: Array.from({ length: 101 }, () => 'x') })).toMatchObject({
      errors: [{ field: 'notifIds', tag: 'max' }],
    });
  });

  it('of another user or store does not exist', async () => {
    const [own] = (await listed({ sub: 'u-many' })).data;
    for (const claims of [SITI, { sub: 'u-many', store_id: 'S2' }])
      for (const path of ['markread_notif', 'getdetail_notif'])
        expect(await as(claims, path, { notifId: own?.notifId })).toEqual(NOT_FOUND);
    expect(await as({ sub: 'u-many' }, 'markread_notif', { notifIds: [own?.notifId, 'S1.none'] })).toEqual(NOT_FOUND);
  });

  it('is listed by the device and the team of its chat, newest first', async () => {
    const all = await listed(SITI);
    const [team, device] = [await listed(SITI, { team: '3' }), await listed(SITI, { instance: 'dev1' })];
    expect([all.data.length > 1, team.data, device.data]).toEqual([true, all.data, all.data]);
    expect([(await listed(SITI, { team: '4' })).data, (await listed(SITI, { instance: 'vip' })).data]).toEqual([
      [],
      [],
    ]);
    const first = await listed(SITI, { team: '3', limit: 1 });
    const rest = await listed(SITI, { team: '3', cursor: first.next_cursor });
    expect([...first.data, ...rest.data]).toEqual(all.data);
  });

  it('is read with all others, of one type or team first', async () => {
    const all = (body: object = {}, claims: object = { sub: 'u-many' }) => as(claims, 'readall_notif', body);
    const read = (updated: number) => ({ result: true, message: 'success read all', data: { updated } });
    expect(await all({ type: 'sla' })).toEqual(read(21));
    expect(await all()).toEqual(read(21));
    expect(await all()).toEqual(read(0));
    expect(await all({ team: '4' }, SITI)).toEqual(read(0));
    expect(await all({ team: '3' }, SITI)).toEqual(read(2));
  });

  it('shows its chat as long as the user may see it, and stays unread', async () => {
    await say({ id: 'LAST' });
    const [own] = (await listed({ sub: 'u-rina' }, { is_read: 'false' })).data;
    const detail = () => rina('getdetail_notif', { notifId: own?.notifId });
    expect(await detail()).toMatchObject({ data: { is_read: false }, chat_list: { nohp: REF.nohp, team: '3' } });
    await chat.database.query(`UPDATE conversations SET team_id = '4' WHERE nohp = $1`, [REF.nohp]);
    expect(await detail()).toMatchObject({ data: { is_read: false }, chat_list: null });
  });

  it('needs a user: of the token, or named by a caller without one', async () => {
    const service = { ...SERVICE, store_id: 'S1' };
    for (const path of ['get_notif', 'get_totalnotif', 'readall_notif'])
      expect(await as(service, path)).toEqual({
        errors: [{ field: 'user_id', tag: 'required', message: 'user_id is a required field' }],
      });
    expect(await as(service, 'get_totalnotif', { user_id: 'u-many' })).toMatchObject({ data: { total: 45 } });
    expect(await as(SERVICE, 'get_totalnotif', { user_id: 'u-many' })).toMatchObject({
      errors: [{ field: 'instance' }],
    });
    expect(await as(SERVICE, 'get_totalnotif', { user_id: 'u-many', instance: 'dev1' })).toMatchObject({
      data: { total: 45 },
    });
    expect(await rina('get_totalnotif', { user_id: 'u-many' })).toMatchObject({ data: { total: 3 } });
  });
});

describe('a notification that counts further messages', () => {
  it('becomes the newest again, and every page continues from the one before', async () => {
    const numbers = ['628188000001', '628188000002', '628188000003', '628188000004'];
    const tell = (nohp: string, id: string) =>
      chat.inbound({ instanceID: 'vip', number: `${nohp}@s.whatsapp.net`, id, text: id });
    for (const nohp of numbers) await tell(nohp, `FIRST ${nohp}`);
    await chat.database.query(`UPDATE conversations SET status = 1, assignee_id = 'u-front' WHERE nohp = ANY ($1)`, [
      numbers,
    ]);
    for (const nohp of numbers) await tell(nohp, `WORK ${nohp}`);
    await tell('628188000001', 'PALING BARU');
    const page = async (more: object) =>
      (await as({ sub: 'u-front' }, 'get_notif', { limit: '2', ...more })) as {
        data: { nohp: string; count: number }[];
        next_cursor: string | null;
      };
    const first = await page({});
    const second = await page({ cursor: first.next_cursor });
    expect([...first.data, ...second.data].map(({ nohp, count }) => [nohp, count])).toEqual([
      ['628188000001', 2],
      ['628188000004', 1],
      ['628188000003', 1],
      ['628188000002', 1],
    ]);
    expect(second.next_cursor).toBeNull();
  });
});
