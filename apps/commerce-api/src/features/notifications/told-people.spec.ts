import { until } from '@platform/testing';
import { askOf, type Answered } from '../../asked.fixture';
import { startFakeMessages } from '../../clients/chat.messages.fake';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { newMember, newStore, NOW, startCommerce, type Commerce } from '../../commerce.fixture';
import type { Note } from '../../live/public';
import type { Room } from '../rooms/rooms/rooms.dto';
import { noticeOf, tell } from './notifications.fixture';

const PHONE = '6281230007777';
let chat: Awaited<ReturnType<typeof startFakeMessages>>;
let commerce: Commerce;
beforeAll(async () => {
  chat = await startFakeMessages();
  commerce = await startCommerce({ CHAT_URL: chat.url });
});
afterAll(async () => {
  await commerce.stop();
  await chat.stop();
});

const shop = async () => {
  const storeId = await newStore(commerce);
  return { storeId, ask: askOf(commerce)(storeId) };
};
const notesOf = async (token: string) =>
  (await commerce.call('GET', '/api/notification', token)) as unknown as Answered<Note[]>;
const shown = async (token: string) => {
  const { data, meta } = (await notesOf(token)).body as { data: Note[]; meta: { unread: number } };
  return [data.map(({ event }) => event).sort(), meta.unread];
};
/** Until all that was told has reached this member, or was left out. */
const told = (storeId: string, userId: string, count: number) =>
  until(async () => {
    const rows = 'SELECT 1 FROM notification WHERE store_id = $1 AND user_id = $2';
    return (await commerce.database.query(rows, [storeId, userId])).length === count;
  });

/** Jobs that tell somebody outside. */
const waiting = async () =>
  (
    await commerce.database.query(
      `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
       WHERE t.identifier LIKE 'notification.%'`,
    )
  ).length;

it('WhatsApp tells a member at a number that they have proved, and only while the plan of their store has not ended unpaid', async () => {
  const { storeId, ask } = await shop();
  const prove = (verified: boolean) =>
    commerce.database.query(
      `INSERT INTO person (user_id, name, email, phone, phone_verified, created_at, updated_at)
       VALUES ($1, 'Sari', 'owner@toko-nusa.example', $2, $3, $4, $4)
       ON CONFLICT (user_id) DO UPDATE SET phone = $2, phone_verified = $3`,
      [OWNER_ID, PHONE, verified, NOW],
    );
  await ask('PUT', '/notification/preferences', { 'withdrawal.paid': { whatsapp: true } });
  const sentOf = () => chat.messages().filter(({ nohp }) => nohp === PHONE);
  await prove(false);
  await tell(commerce, noticeOf(storeId, 'free', { params: { amount: 'Rp 1' } }));
  await told(storeId, OWNER_ID, 1);
  await until(async () => (await waiting()) === 0);
  expect(sentOf()).toEqual([]);
  await prove(true);
  const stands = (state: 'expired' | null) =>
    commerce.database.query('UPDATE store SET plan_state = $2 WHERE store_id = $1', [storeId, state]);
  await stands('expired');
  await tell(commerce, noticeOf(storeId, 'unpaid', { params: { amount: 'Rp 2' } }));
  await told(storeId, OWNER_ID, 2);
  await until(async () => (await waiting()) === 0);
  expect(sentOf()).toEqual([]);
  await stands(null);
  await tell(commerce, noticeOf(storeId, 'proved', { params: { amount: 'Rp 3' } }));
  await until(() => sentOf().length > 0);
  expect(sentOf().map(({ pesan }) => pesan?.split('\n')[0])).toEqual(['Penarikan Rp 3 sudah dibayarkan']);
});

it('a member who leaves and comes back is in no room, and sees nothing of what was told before', async () => {
  const { storeId, ask } = await shop();
  const rina = await newMember(commerce, storeId, 'cs');
  const opened = await ask<Room>('POST', '/teamchat/rooms', { name: 'Gudang', user_ids: [rina.userId] });
  await tell(commerce, noticeOf(storeId, 'w1', { userIds: [rina.userId] }));
  await told(storeId, rina.userId, 1);
  expect((await ask('DELETE', `/team/${rina.userId}`)).status).toBe(200);
  await commerce.database.query(
    `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ($1, $2, 'cs', $3, $3)`,
    [storeId, rina.userId, NOW],
  );
  expect(await shown(rina.token)).toEqual([[], 0]);
  const rooms = await commerce.call('GET', '/api/teamchat/rooms', rina.token);
  expect([(rooms.body as { data: Room[] }).data, (await ask<Room[]>('GET', '/teamchat/rooms')).body.data]).toEqual([
    [],
    [{ ...opened.body.data, members: [expect.objectContaining({ user_id: OWNER_ID })] }],
  ]);
});

it('a member who may do less sees what they may be told of now, and what they were told by name', async () => {
  const { storeId, ask } = await shop();
  const rina = await newMember(commerce, storeId, 'admin');
  await tell(commerce, noticeOf(storeId, 'all'));
  await tell(commerce, noticeOf(storeId, 'named', { event: 'stock.low', userIds: [rina.userId] }));
  await told(storeId, rina.userId, 2);
  expect(await shown(rina.token)).toEqual([['stock.low', 'withdrawal.paid'], 2]);
  const [hidden] = (await notesOf(rina.token)).body.data.filter(({ event }) => event === 'withdrawal.paid');
  await commerce.database.query(`UPDATE membership SET system_role = 'cs' WHERE store_id = $1 AND user_id = $2`, [
    ...[storeId, rina.userId],
  ]);
  expect(await shown(rina.token)).toEqual([['stock.low'], 1]);
  const read = await commerce.call('POST', `/api/notification/${hidden?.id}/read`, rina.token);
  expect(read.status).toBe(404);
  expect((await commerce.call('POST', '/api/notification/read-all', rina.token)).status).toBe(200);
  await commerce.database.query(`UPDATE membership SET system_role = 'admin' WHERE store_id = $1 AND user_id = $2`, [
    ...[storeId, rina.userId],
  ]);
  expect(await shown(rina.token)).toEqual([['stock.low', 'withdrawal.paid'], 1]);
  expect((await ask('GET', '/notification')).status).toBe(200);
});

it('what waits to be mailed, or sent over WhatsApp, is told to nobody who may not hear of it any more, unless by name', async () => {
  const { storeId } = await shop();
  const rina = await newMember(commerce, storeId, 'finance');
  const phone = '6281230008888';
  await commerce.database.query(
    `INSERT INTO person (user_id, name, email, phone, phone_verified, created_at, updated_at) VALUES ($1, 'Rina', 'rina@toko-nusa.example', $2, true, $3, $3)
     ON CONFLICT (user_id) DO UPDATE SET email = 'rina@toko-nusa.example', phone = $2, phone_verified = true`,
    [rina.userId, phone, NOW],
  );
  const silent = { email: false, whatsapp: false };
  expect(
    (await commerce.call('PUT', '/api/notification/preferences', rina.token, { 'withdrawal.paid': silent })).status,
  ).toBe(200);
  const amounts = { all: 'Rp 1', named: 'Rp 2' };
  await tell(commerce, noticeOf(storeId, 'all', { params: { amount: amounts.all } }));
  await tell(commerce, noticeOf(storeId, 'named', { params: { amount: amounts.named }, userIds: [rina.userId] }));
  await told(storeId, rina.userId, 2);
  await commerce.database.query(`UPDATE membership SET system_role = 'cs' WHERE store_id = $1 AND user_id = $2`, [
    ...[storeId, rina.userId],
  ]);
  await commerce.database.query(
    `SELECT commerce_api_jobs.add_job(task, json_build_object('storeId', store_id, 'id', id))
     FROM notification CROSS JOIN (VALUES ('notification.mail'), ('notification.chat')) AS t (task) WHERE store_id = $1 AND user_id = $2`,
    [storeId, rina.userId],
  );
  const heard = () => [
    ...commerce.mails.filter(({ to }) => to === 'rina@toko-nusa.example').map(({ text }) => text),
    ...chat.messages().flatMap(({ nohp, pesan }) => (nohp === phone ? [pesan ?? ''] : [])),
  ];
  await until(() => heard().filter((text) => text.includes(amounts.named)).length === 2);
  await until(async () => (await waiting()) === 0);
  expect(heard().filter((text) => text.includes(amounts.all))).toEqual([]);
});
