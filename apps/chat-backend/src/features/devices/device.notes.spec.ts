import { silentLogger } from '@platform/runtime';
import { untilWaiting } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';
import { APPLY_STATUS, DevicePoll } from './device.poll';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat({ environment: { DEVICE_POLL_S: '0' } });
});
afterAll(() => chat.stop());

it('notifies the team of the device and those who answer for the store when it is lost or comes back, once each', async () => {
  await chat.database
    .query(`INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina'), ('S1', '4', 'u-vip'), ('S2', '3', 'u-other');
    INSERT INTO users (store_id, user_id, nama, role) VALUES ('S1', 'u-boss', 'Boss', 'supervisor')`);
  const notes: { notif: object }[] = [];
  const said = async (status: string) =>
    new DevicePoll({
      sql: chat.database,
      gateway: { devices: async () => [{ instance: 'dev1', status }] },
      announcer: { deviceChanged: () => undefined },
      notifications: { notified: (told) => void notes.push(...(told ?? [])) },
      everySeconds: 0,
      logger: silentLogger,
    }).poll();
  for (const status of ['connected', 'disconnected', 'qr', 'connected', 'disconnected', 'connected'])
    await said(status);
  const rows = await chat.database.query(
    `SELECT user_id, judul, isi, count FROM notifications WHERE type = 'device_status' ORDER BY user_id, judul DESC`,
  );
  const note = (user_id: string, judul: string) => ({ user_id, judul, isi: 'Satu (dev1)', count: 1 });
  expect(rows).toEqual([
    note('u-boss', 'Device terputus'),
    note('u-boss', 'Device terhubung'),
    note('u-rina', 'Device terputus'),
    note('u-rina', 'Device terhubung'),
  ]);
  expect(notes.map(({ notif }) => notif)).toContainEqual(
    expect.objectContaining({ type: 'device_status', judul: 'Device terputus', chatId: null, count: 1 }),
  );
});

it('notifies once when two processes hear of it at the same moment', async () => {
  const { database } = chat;
  await database.query(`UPDATE devices SET status = 'disconnected'; UPDATE notifications SET read_at = now()`);
  const heard = [JSON.stringify([{ instance: 'dev1', status: 'connected' }])];
  let second: Promise<unknown[]> = Promise.resolve([]);
  await database.tx(async (tx) => {
    await tx.query(APPLY_STATUS, heard);
    second = database.query(APPLY_STATUS, heard);
    await untilWaiting(tx, second);
  });
  expect(await second).toEqual([{ changed: null, notified: null }]);
  const unread = await database.query('SELECT user_id FROM notifications WHERE read_at IS NULL ORDER BY 1');
  expect(unread).toEqual([{ user_id: 'u-boss' }, { user_id: 'u-rina' }]);
});
