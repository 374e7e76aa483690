// chat-backend itself, as a process beside this service, and a gateway that knows groups.
import { linkCodeOf } from '@platform/contracts';
import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { newApiToken } from '../../../commerce.fixture';
import type { Tracker } from '../../marketing/trackers/trackers.dto';
import { startInboxWorld } from '../inbox.fixture';
import type { CheckedNumber, ClickToChat, MessageTaken, WaGroup } from './wa.dto';

const world = useRunning(startInboxWorld);
type Shop = Awaited<ReturnType<typeof world.store>>;

const PHONE = '6281234567890';
const GROUP = '120363000000000001@g.us';
const unknownDevice = notHere('device_id', 'is not a device of this store');
const line = ({ deviceId: device_id }: Shop) => ({ device_id, to: PHONE });
const sends = (shop: Shop, media_id: string): [string, object][] => [
  ['/wa/send-message', { ...line(shop), text: 'Pesanan siap' }],
  ['/wa/send-media', { ...line(shop), type: 'image', media_id, caption: 'Topi' }],
  ['/wa/send-location', { ...line(shop), latitude: -6.2, longitude: 106.8, name: 'Toko' }],
];

describe('a message to somebody who has not written', () => {
  it('is taken in every form, and the inbox shows it with the team of the device', async () => {
    const shop = await world.store();
    const ids: string[] = [];
    for (const [path, body] of sends(shop, await shop.picture())) {
      const { status, body: answer } = await shop.ask<MessageTaken>('POST', path, body);
      expect([path, status, answer]).toEqual([
        ...[
          path,
          202,
          { status: 'success', message: 'OK', data: { message_id: expect.any(String), status: 'pending' } },
        ],
      ]);
      ids.push(answer.data.message_id);
    }
    const [chat] = (await shop.ask<{ id: string; team: string }[]>('GET', '/livechat/conversations')).body.data;
    expect(chat?.team).toBe('3');
    const { data } = (
      await shop.ask<{ id: string; type: string }[]>('GET', `/livechat/conversations/${chat?.id}/messages`)
    ).body;
    expect(data.map(({ id, type }) => [id, type])).toEqual(
      ['text', 'image', 'location'].map((type, nth) => [ids[nth], type]),
    );
  });

  it('reaches whoever hides the number, and their chat opens', async () => {
    const shop = await world.store();
    const to = `ID.ENT.${'x'.repeat(128)}@bsuid`;
    expect((await shop.ask('POST', '/wa/send-message', { ...line(shop), to, text: 'halo' })).status).toBe(202);
    const [chat] = (await shop.ask<{ id: string }[]>('GET', '/livechat/conversations')).body.data;
    expect((await shop.ask<object[]>('GET', `/livechat/conversations/${chat?.id}/messages`)).body.data).toHaveLength(1);
  });

  it('is one message under one key, however often it is asked for', async () => {
    const shop = await world.store();
    const media_id = await shop.picture();
    for (const [nth, [path, body]] of sends(shop, media_id).entries()) {
      const made = await Promise.all([1, 2, 3].map(() => shop.ask<MessageTaken>('POST', path, body, `k-${nth}`)));
      expect(new Set(made.map((each) => each.body.data.message_id)).size).toBe(1);
    }
    const [row] = await world.chat.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM messages WHERE store_id = $1',
      [shop.storeId],
    );
    expect(row?.n).toBe(3);
  });

  it('by a device that the store has not, to no number, or without its content, is refused in our names', async () => {
    const [shop, other] = [await world.store(), await world.store()];
    const media_id = await shop.picture();
    for (const [path, body] of sends(shop, media_id)) {
      expect(await shop.ask('POST', path, { ...body, device_id: other.deviceId })).toEqual(unknownDevice);
      expect(await shop.ask('POST', path, { ...body, to: 'nobody' })).toMatchObject({
        ...{ status: 422, body: { errors: { to: [expect.stringMatching(/^to /)] } } },
      });
    }
    const file = { ...line(shop), type: 'image' };
    expect(await shop.ask('POST', '/wa/send-media', file)).toEqual(
      invalid('media_id', 'media_id or url is required, not both'),
    );
    expect(await other.ask('POST', '/wa/send-media', { ...line(other), type: 'image', media_id })).toEqual(
      notHere('media_id', 'is not a file for messages of this store'),
    );
    await world.commerce.database.query('DELETE FROM chat_team WHERE store_id = $1', [shop.storeId]);
    expect(await shop.ask('POST', '/wa/send-message', { ...line(shop), text: 'x' })).toEqual(
      invalid('device_id', 'device_id has no chat team, and the store has none'),
    );
    expect(await world.sent(shop.storeId)).toEqual([]);
  });

  it('is sent by a program with an API token as by the service, and by no member of another team', async () => {
    const shop = await world.store();
    const body = { ...line(shop), text: 'Dari program' };
    const { token } = await newApiToken(world.commerce, shop.storeId, { abilities: ['wa.send'] });
    expect((await shop.askWith(token)('POST', '/wa/send-message', body)).status).toBe(202);
    const nobody = await shop.member('7');
    expect((await nobody.ask('POST', '/wa/send-message', body)).status).toBe(403);
    expect(await world.sent(shop.storeId)).toEqual([{ nohp: PHONE, pesan: 'Dari program' }]);
  });

  it('is not sent by a program whose maker does not see all chats, which learns of no number either', async () => {
    const shop = await world.store();
    const maker = (await shop.member('3')).userId;
    const { token } = await newApiToken(world.commerce, shop.storeId, { abilities: ['wa.send'], maker });
    const denied = refused(403, 'forbidden', 'This needs the ability chat.all', { ability: 'chat.all' });
    for (const [path, body] of sends(shop, await shop.picture()))
      expect(await shop.askWith(token)('POST', path, body)).toEqual(denied);
    expect(await shop.askWith(token)('POST', '/wa/check-number', { phone: PHONE })).toEqual(denied);
    expect(await world.sent(shop.storeId)).toEqual([]);
  });
});

describe('a number', () => {
  const check = async ({ ask }: Shop, phone = PHONE) =>
    (await ask<CheckedNumber>('POST', '/wa/check-number', { phone })).body.data;

  it('is known by whoever wrote from there, by what arrived there, and by what could not', async () => {
    const shop = await world.store();
    expect(await check(shop)).toEqual({ registered: null, source: null });
    await shop.ask('POST', '/wa/send-message', { ...line(shop), text: 'halo' });
    expect(await check(shop)).toEqual({ registered: null, source: null });
    const told = (change: string) =>
      world.chat.database.query(`UPDATE messages SET ${change} WHERE store_id = $1`, [shop.storeId]);
    await told(`error = 'number not registered'`);
    expect(await check(shop)).toEqual({ registered: false, source: 'refused' });
    await told('error = NULL, status_ack = 2');
    expect(await check(shop)).toEqual({ registered: true, source: 'delivered' });
    await shop.writes(PHONE, 'ya?');
    expect(await check(shop)).toEqual({ registered: true, source: 'inbound' });
    expect(await check(await world.store())).toEqual({ registered: null, source: null });
  });

  it('that wrote to another team alone is unknown to a member', async () => {
    const shop = await world.store();
    await shop.writes(PHONE, 'halo');
    const [ours, theirs] = [await shop.member('3'), await shop.member('7')];
    expect(await check({ ...shop, ask: ours.ask })).toEqual({ registered: true, source: 'inbound' });
    expect(await check({ ...shop, ask: theirs.ask })).toEqual({ registered: null, source: null });
  });

  it('that is none is refused', async () => {
    const shop = await world.store();
    expect(await shop.ask('POST', '/wa/check-number', { phone: 'x' })).toMatchObject({ status: 422 });
  });
});

describe('a link', () => {
  it('opens a chat with the device or the number, and tells the short link that it is counted to', async () => {
    const shop = await world.store();
    const made = async (body: object) => (await shop.ask<ClickToChat>('POST', '/wa/link', body)).body.data;
    const plain = await made({ phone: '081234567890' });
    expect(plain).toEqual({ url: `https://wa.me/${PHONE}`, qr_svg: expect.stringMatching(/^<svg .*<\/svg>\s*$/s) });
    const target = 'https://toko.example/';
    const tracker = (await shop.ask<Tracker>('POST', '/tracker', { target, code: `p${Date.now() % 1e9}` })).body.data;
    const { url } = await made({ device_id: shop.deviceId, text: 'Halo, saya mau pesan', tracker_id: tracker.id });
    expect(new URL(url).pathname).toBe('/6281100000001');
    const text = new URL(url).searchParams.get('text') ?? '';
    expect(text).toBe(`Halo, saya mau pesan [#${tracker.code}]`);
    expect(linkCodeOf(text)).toBe(tracker.code);
  });

  it('whose text is more than a picture holds is refused, in whatever script it is', async () => {
    const shop = await world.store();
    const wish = (text: string) => shop.ask('POST', '/wa/link', { phone: PHONE, text });
    expect((await wish('é'.repeat(500))).status).toBe(200);
    for (const sign of ['中', 'ไ'])
      expect(await wish(sign.repeat(500))).toEqual(invalid('text', 'text is too long to be drawn as a picture'));
  });

  it('of a device without a number, of nobody, or counted to nothing is refused', async () => {
    const [shop, other] = [await world.store(), await world.store()];
    const wish = (body: object) => shop.ask('POST', '/wa/link', body);
    for (const body of [{}, { phone: PHONE, device_id: shop.deviceId }])
      expect(await wish(body)).toEqual(invalid('device_id', 'device_id or phone is required, not both'));
    expect(await wish({ device_id: other.deviceId })).toEqual(unknownDevice);
    expect(await wish({ phone: PHONE, tracker_id: uuidv7() })).toEqual(
      refused(404, 'not_found', 'Short link not found'),
    );
    await world.commerce.database.query('UPDATE device SET number = NULL WHERE store_id = $1', [shop.storeId]);
    expect(await wish({ device_id: shop.deviceId })).toEqual(
      invalid('device_id', 'device_id has no number yet: connect it first'),
    );
  });
});

describe('groups of a device', () => {
  const groups = (ask: Shop['ask'], { deviceId }: Shop) => ask<WaGroup[]>('GET', `/wa/groups?device_id=${deviceId}`);
  const withGroup = async (): Promise<Shop> => {
    const shop = await world.store();
    await shop.ask('POST', '/wa/send-message', { ...line(shop), to: GROUP, text: 'halo semua' });
    return shop;
  };

  it('are the group chats, with what the gateway tells of them, once in ten minutes', async () => {
    const shop = await withGroup();
    await shop.writes(PHONE, 'bukan grup');
    const bare = { id: GROUP, conversation_id: expect.any(String), name: null, description: null, size: null };
    expect((await groups(shop.ask, shop)).body).toMatchObject({ data: [bare], meta: { next_cursor: null } });
    world.gateway.sessions.set(shop.instance, { status: 'connected', number: PHONE, name: null });
    world.gateway.groups.set(`${shop.instance} ${GROUP}`, { name: 'Pelanggan', description: 'VIP', size: 3 });
    const known = { ...bare, name: 'Pelanggan', description: 'VIP', size: 3 };
    expect((await groups(shop.ask, shop)).body).toMatchObject({ data: [known] });
    world.gateway.groups.clear();
    expect((await groups(shop.ask, shop)).body).toMatchObject({ data: [known] });
    expect((await groups((await shop.member('7')).ask, shop)).body.data).toEqual([]);
  });

  it('are shown without the gateway too, and of no other store', async () => {
    const shop = await withGroup();
    world.gateway.state.mood = 'down';
    const { status, body } = await groups(shop.ask, shop);
    world.gateway.state.mood = 'answer';
    expect([status, body.data.map(({ id, size }) => [id, size])]).toEqual([200, [[GROUP, null]]]);
    expect(await groups((await world.store()).ask, shop)).toEqual(unknownDevice);
    const { userId: maker } = await shop.member('3');
    const { token } = await newApiToken(world.commerce, shop.storeId, { abilities: ['wa.send'], maker });
    expect((await groups(shop.askWith(token), shop)).status).toBe(403);
  });
});

it('no table here holds a message or a conversation', async () => {
  const shop = await world.store();
  await shop.ask('POST', '/wa/send-message', { ...line(shop), text: 'kata-kata-yang-hanya-di-sana' });
  const tables = await world.commerce.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'commerce_api' AND table_type = 'BASE TABLE'`,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const found = `SELECT 1 FROM "${name}" t WHERE t::text LIKE '%kata-kata-yang-hanya-di-sana%'`;
    if ((await world.commerce.database.query(found, [])).length > 0) holding.push(name);
  }
  expect(holding).toEqual([]);
});

it('a message that was refused is sent under the same key when it is right', async () => {
  const shop = await world.store();
  const wrong = await shop.ask('POST', '/wa/send-message', { ...line(shop), to: 'nobody', text: 'x' }, 'k-9');
  expect(wrong.status).toBe(422);
  const right = await shop.ask<MessageTaken>('POST', '/wa/send-message', { ...line(shop), text: 'x' }, 'k-9');
  expect(right).toEqual(succeeded(202, 'OK', { message_id: expect.any(String), status: 'pending' }));
});

it('every row answers 504 while chat-backend hangs and 502 while it is down', async () => {
  const shop = await world.store();
  const rows: [string, string, object?][] = [
    ...sends(shop, await shop.picture()).map(([path, body]): [string, string, object] => ['POST', path, body]),
    ['POST', '/wa/check-number', { phone: PHONE }],
    ['GET', `/wa/groups?device_id=${shop.deviceId}`],
  ];
  const each = () =>
    Promise.all(
      rows.map(async ([method, path, body]) => {
        const { status, body: answer } = await shop.ask(method, path, body);
        return [status, answer.code];
      }),
    );
  world.chat.freeze();
  const slow = await each();
  world.chat.awaken();
  await world.chat.kill();
  const down = await each();
  await world.chat.restart();
  expect(slow).toEqual(rows.map(() => [504, 'provider_timeout']));
  expect(down).toEqual(rows.map(() => [502, 'provider_error']));
});
