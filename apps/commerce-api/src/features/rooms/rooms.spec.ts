import { until } from '@platform/testing';
import { notHere, ownStore, refused, type Answered } from '../../asked.fixture';
import { newMember, useCommerce } from '../../commerce.fixture';
import type { StaffMessage } from '../../live/public';
import { fileForm } from '../../whole-shop.fixture';
import { closeSockets, listen } from '../notifications/notifications.fixture';
import type { Room } from './rooms/rooms.dto';

const commerce = useCommerce();
afterAll(closeSockets);

const staff = async () => {
  const store = await ownStore(commerce);
  const [rina, joko] = [
    await newMember(commerce, store.storeId, 'cs'),
    await newMember(commerce, store.storeId, 'finance'),
  ];
  const { body } = await store.ask<Room>('POST', '/teamchat/rooms', { name: 'Gudang', user_ids: [rina.userId] });
  const room = body.data;
  const as = async (member: { token: string }, method: string, path: string, sent?: object) =>
    (await commerce.call(method, `/api/teamchat/rooms${path}`, member.token, sent)) as unknown as Answered<
      StaffMessage[]
    >;
  return { ...store, rina, joko, room, as };
};

it('a message of the staff is heard by everybody in its room, and read by nobody else', async () => {
  const { ask, rina, joko, room, as } = await staff();
  const [inside, outside] = [await listen(commerce.url, rina.token), await listen(commerce.url, joko.token)];
  const { status, body } = await ask<StaffMessage>('POST', `/teamchat/rooms/${room.id}/messages`, {
    text: 'Stok topi habis',
  });
  expect(status).toBe(201);
  await until(() => inside.heard.length > 0);
  expect(inside.heard).toEqual([['teamchat', { room_id: room.id, message: body.data }]]);
  expect(outside.heard).toEqual([]);
  const read = await as(rina, 'GET', `/${room.id}/messages`);
  expect(read.body).toEqual({ status: 'success', message: 'OK', data: [body.data], meta: { next_cursor: null } });
  const hidden = refused(404, 'not_found', 'Room not found');
  expect(await as(joko, 'GET', `/${room.id}/messages`)).toMatchObject(hidden);
  expect(await as(joko, 'POST', `/${room.id}/messages`, { text: 'x' })).toMatchObject(hidden);
  expect((await as(joko, 'GET', '')).body.data).toEqual([]);
});

it('a room is for active members of the store', async () => {
  const [mine, theirs] = [await staff(), await staff()];
  expect(await mine.ask('POST', '/teamchat/rooms', { name: 'x', user_ids: [theirs.rina.userId] })).toEqual(
    notHere('user_ids[0]', 'is not an active member of this store'),
  );
  expect(await mine.ask('GET', `/teamchat/rooms/${theirs.room.id}/messages`)).toEqual(
    refused(404, 'not_found', 'Room not found'),
  );
});

it("a file of a message is the store's own, for messages, and stays while the message does", async () => {
  const { ask, room } = await staff();
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const upload = async (purpose: string) =>
    (await ask<{ id: string }>('POST', '/upload', fileForm('file', png, { purpose }))).body.data.id;
  const [file, picture] = [await upload('message'), await upload('product')];
  const post = (media_id: string) =>
    ask<StaffMessage>('POST', `/teamchat/rooms/${room.id}/messages`, { text: 'Lihat', media_id });
  expect((await post(file)).body.data.media_id).toBe(file);
  expect(await post(picture)).toEqual(notHere('media_id', 'is not a file for messages of this store'));
  expect((await ask('DELETE', `/upload/${file}`)).status).toBe(409);
  expect((await ask('DELETE', `/upload/${picture}`)).status).toBe(200);
});
