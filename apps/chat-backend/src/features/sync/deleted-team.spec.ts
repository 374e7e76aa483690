import { until, untilWaiting } from '@platform/testing';
import { SERVICE } from '../../chat.fixture';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
let version = 0;
const push = (body: object) => chat.post('/internal/sync', body, { token: chat.tokens.tokenFor(SERVICE) });
const row = () => ({ store_id: 'S1', updated_at: ++version });
const team = (id: string, fields: object = {}) => ({ ...row(), id, nama: id, ...fields });
const device = (instance: string, default_team_id: string) => ({ ...row(), instance, default_team_id });

beforeAll(async () => {
  chat = await startLifecycle();
  await push({ teams: [team('T9')], devices: [device('dev9', 'T9')] });
});
afterAll(() => chat.stop());

const inbound = (nohp: string, instance = 'dev9') =>
  chat.inbound({ instanceID: instance, number: `${nohp}@s.whatsapp.net` });
const list = async (fields: object): Promise<string[]> => {
  const { body } = await chat.as(chat.people.boss, 'chat_list', { nohp: '-', instance: 'all', team: 'all', ...fields });
  return (body as { data: { nohp: string }[] }).data.map(({ nohp }) => nohp);
};
const chatOf = async (nohp: string) =>
  (await chat.database.query('SELECT team_id, status, assignee_id FROM conversations WHERE nohp = $1', [nohp]))[0];
const historyOf = (nohp: string) =>
  chat.database.query(
    `SELECT h.event, h.team_from, h.team_to, h.actor_type FROM chat_histories h JOIN conversations c ON c.id = h.conversation_id
     WHERE c.nohp = $1 AND h.event <> 'created' ORDER BY h.id`,
    [nohp],
  );

describe('the chats of a team that is deleted', () => {
  it('go to the team of new chats and stay in the lists; handled ones wait there again', async () => {
    const numbers = ['628166000001', '628166000002', '628166000003'];
    for (const nohp of numbers) await inbound(nohp);
    await chat.database.query(
      `UPDATE conversations SET status = 1, assignee_id = 'u-rina' WHERE nohp = '628166000002'`,
    );
    await chat.database.query(`UPDATE conversations SET status = 3 WHERE nohp = '628166000003'`);
    await push({ teams: [{ ...row(), id: 'T9', deleted: true }] });
    expect(await Promise.all(numbers.map(chatOf))).toEqual([
      { team_id: '3', status: 0, assignee_id: null },
      { team_id: '3', status: 0, assignee_id: null },
      { team_id: '3', status: 3, assignee_id: null },
    ]);
    expect(await list({ status: 'open', instance: 'dev9' })).toEqual(expect.arrayContaining(numbers.slice(0, 2)));
    expect(await list({ status: 'unread', instance: 'dev9' })).toEqual(expect.arrayContaining(numbers.slice(0, 2)));
    const moved = { event: 'move', team_from: 'T9', team_to: '3', actor_type: 'system' };
    expect(await Promise.all(numbers.map(historyOf))).toEqual([[moved], [moved], []]);
    const ref = { nohp: '628166000001', instance: 'dev9', team: '3' };
    expect((await chat.post('/v1/chat_inbox', ref)).body).toMatchObject({ result: true });
  });

  it('all go there, few in one transaction, because who writes to one of them waits', async () => {
    await push({ teams: [team('T8')] });
    await chat.database.query(`
      INSERT INTO customers (store_id, id, nohp) SELECT 'S1', uuidv7(), '62899' || n FROM generate_series(100000, 101200) n;
      INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, last_text, last_type, last_from_me, last_pesan_id, last_ack, status, turned_seq)
        SELECT 'S1', uuidv7(), 'dev9', nohp, 'T8', id, 1, now(), 'x', 'chat', false, 'p', 2, 3, 1 FROM customers WHERE nohp LIKE '62899%'`);
    await push({ teams: [{ ...row(), id: 'T8', deleted: true }] });
    const left = () => chat.database.query(`SELECT 1 FROM conversations WHERE team_id = 'T8' LIMIT 1`);
    await until(left, (rows) => rows.length === 0);
    const moved = await chat.database.query<{ chats: number }>(
      `SELECT count(*)::int AS chats FROM conversations WHERE nohp LIKE '62899%' GROUP BY xmin::text ORDER BY 1 DESC`,
    );
    await chat.database.query(`DELETE FROM conversations WHERE nohp LIKE '62899%'`);
    expect(moved.map(({ chats }) => chats)).toEqual([500, 500, 201]);
  });

  it('all go there, also when somebody moves one of the first five hundred meanwhile', async () => {
    await push({ teams: [team('T6')] });
    await chat.database.query(`
      INSERT INTO customers (store_id, id, nohp) SELECT 'S1', uuidv7(), '62898' || n FROM generate_series(100000, 100600) n;
      INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, status, turned_seq)
        SELECT 'S1', uuidv7(), 'dev9', nohp, 'T6', id, 1, now(), 3, 1 FROM customers WHERE nohp LIKE '62898%'`);
    const some = `UPDATE conversations SET team_id = '3' WHERE team_id = 'T6' AND nohp ~ '[036]$'`;
    const deleted = await chat.database.tx(async (tx) => {
      await tx.query(some);
      const pushed = push({ teams: [{ ...row(), id: 'T6', deleted: true }] });
      await untilWaiting(tx, pushed);
      return [pushed];
    });
    await Promise.all(deleted);
    const left = () => chat.database.query(`SELECT 1 FROM conversations WHERE team_id = 'T6' LIMIT 1`);
    await until(left, (rows) => rows.length === 0);
    await chat.database.query(`DELETE FROM conversations WHERE nohp LIKE '62898%'`);
  });

  it('are followed there by the next new customer of its devices', async () => {
    await inbound('628166000004');
    expect(await chatOf('628166000004')).toMatchObject({ team_id: '3' });
  });

  it('stay in the lists of the whole store while there is no team at all, and go to the first that comes', async () => {
    await push({ stores: [{ ...row(), store_id: 'S9', nama: 'Sembilan' }] });
    const own = (fields: object) => ({ ...row(), store_id: 'S9', ...fields });
    await push({ teams: [own({ id: 'A', nama: 'A' })], devices: [own({ instance: 'lone', default_team_id: 'A' })] });
    await inbound('628166000005', 'lone');
    await push({ teams: [own({ id: 'A', deleted: true })] });
    const owner = chat.tokens.tokenFor({ sub: 'u-own', store_id: 'S9', role: 'owner', teams: [] });
    const query = { nohp: '-', instance: 'all', team: 'all' };
    for (const status of ['open', 'unread', 'all'])
      expect((await chat.as(owner, 'chat_list', { ...query, status })).body).toMatchObject({
        data: [{ nohp: '628166000005' }],
      });
    await push({ teams: [own({ id: 'B', nama: 'B' })] });
    expect(await chatOf('628166000005')).toMatchObject({ team_id: 'B' });
  });
});

it('a chat whose store has no team keeps its own and takes what its customer writes; a new customer is to come again', async () => {
  const nohp = '628166000010';
  await push({ stores: [{ ...row(), store_id: 'S8', nama: 'Delapan' }] });
  const own = (fields: object) => ({ ...row(), store_id: 'S8', ...fields });
  await push({ teams: [own({ id: 'A', nama: 'A' })], devices: [own({ instance: 'bare', default_team_id: 'A' })] });
  await inbound(nohp, 'bare');
  await push({ teams: [own({ id: 'A', deleted: true })] });
  expect((await inbound(nohp, 'bare')).body).toMatchObject({ result: true });
  expect(await chat.database.query('SELECT team_id, last_seq FROM conversations WHERE store_id = $1', ['S8'])).toEqual([
    { team_id: 'A', last_seq: 2 },
  ]);
  const [hidden, number] = ['62816600@lid', '628166000012'];
  await chat.database.query(`UPDATE conversations SET nohp = $1 WHERE store_id = 'S8'`, [hidden]);
  const named = { number: `${number}@s.whatsapp.net`, instanceID: 'bare', rawMessage: JSON.stringify({ lid: hidden }) };
  expect((await chat.inbound(named)).body).toMatchObject({ result: true, data: { chat_list: { nohp: number } } });
  const refused = { result: false, message: 'team tidak ditemukan', code: 'team_not_found' };
  expect((await inbound('628166000011', 'bare')).body).toEqual(refused);
});

describe('the clients of a team that is deleted and of the one that takes its chats over', () => {
  it('are told of each chat as of one that was moved, and the old team hears no more of it', async () => {
    const nohp = '628166000007';
    await push({ teams: [team('T7')], devices: [device('dev7', 'T7')] });
    await inbound(nohp, 'dev7');
    const [{ id } = {}] = await chat.database.query<{ id: string }>(
      `SELECT store_id || '.' || id AS id FROM conversations WHERE nohp = $1`,
      [nohp],
    );
    const ref = { nohp, instance: 'dev7', team: 'T7', chatId: id ?? '' };
    const [rina, old, boss] = [
      await chat.listen(chat.people.rina),
      await chat.listen(chat.tokens.tokenFor({ sub: 'u-old', teams: ['T7'] })),
      await chat.listen(chat.people.boss),
    ];
    for (const one of [old, boss]) expect(await one.join(ref)).toEqual({ result: true });
    await push({ teams: [{ ...row(), id: 'T7', deleted: true }] });
    const listed = ({ heard }: typeof rina) =>
      heard.flatMap(({ name, payload: { op, chat_list: list } }) =>
        name === 'updateChatlist' && list?.chatId === id ? [{ op, team: list?.team }] : [],
      );
    await until(() => listed(rina).length > 0 && listed(old).length > 0);
    expect([listed(rina), listed(old)]).toEqual([[{ op: 'upsert', team: '3' }], [{ op: 'remove', team: '3' }]]);
    const events = ({ heard }: typeof rina) =>
      heard.flatMap(({ name, payload }) => (name === 'historyChat' ? (payload.history ?? []) : []));
    await until(() => events(boss).length > 0);
    expect(events(boss)).toMatchObject([{ event: 'move', team_from: 'T7', team_to: '3', actor_type: 'system' }]);
    await inbound(nohp, 'dev7');
    const messages = ({ heard }: typeof rina) => heard.filter(({ name }) => name === 'newMessage').length;
    await until(() => messages(boss) > 0);
    await old.socket.emitWithAck('chatLeave', { chatId: ref.chatId });
    expect(messages(old)).toBe(0);
  });
});

describe('the chats of a device that is deleted', () => {
  it('stay readable', async () => {
    await push({ devices: [device('dev8', '3')] });
    await inbound('628166000006', 'dev8');
    await push({ devices: [{ ...row(), instance: 'dev8', deleted: true }] });
    expect(await list({ instance: 'all' })).toContain('628166000006');
    expect(await list({ status: 'open' })).toContain('628166000006');
    const ref = { nohp: '628166000006', instance: 'dev8', team: '3' };
    expect((await chat.post('/v1/chat_inbox', ref)).body).toMatchObject({ result: true, chat_device: null });
  });
});
