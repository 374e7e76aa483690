// chat-backend itself, as a process beside this service: who sees which conversations, and what a reply becomes there.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { newApiToken } from '../../../commerce.fixture';
import { startInboxWorld } from '../inbox.fixture';
import type { ConversationMessage } from '../messages/public';
import { conversationIdOf, conversationOf } from './conversation.id';
import type { Conversation } from './conversations.dto';

const world = useRunning(startInboxWorld);
type Shop = Awaited<ReturnType<typeof world.store>>;

const PHONE = '6281234567890';
const instant = expect.stringMatching(/^\d{4}-.*Z$/);
const unknown = refused(404, 'not_found', 'Conversation not found');
const at = ({ id }: Pick<Conversation, 'id'>) => `/livechat/conversations/${id}`;
const seenBy = async (ask: Shop['ask']) =>
  (await ask<Conversation[]>('GET', '/livechat/conversations')).body.data.map(({ contact }) => contact.phone);
const sentTo = (shop: Shop) => world.sent(shop.storeId);
const tokenWith = async (shop: Shop, abilities: string[], maker = shop.ownerId) => {
  const { token } = await newApiToken(world.commerce, shop.storeId, { abilities, maker });
  return shop.askWith(token);
};

describe('a conversation', () => {
  it('is listed, read, answered, handed over and closed at chat-backend', async () => {
    const shop = await world.store();
    const { id: contactId } = (await shop.ask<{ id: string }>('POST', '/contact', { name: 'Budi S', phone: PHONE }))
      .body.data;
    const chat = await shop.written(PHONE, 'Ada ukuran 42?');
    const shown = {
      ...{ id: chat.id, contact: { id: contactId, name: 'Budi S', phone: PHONE }, device_id: shop.deviceId },
      ...{ team: '3', assignee: null, status: 'open', unread: 1, waiting_since: instant },
      last_message: { type: 'text', text: 'Ada ukuran 42?', from_me: false, at: instant },
    };
    expect(await shop.ask('GET', '/livechat/conversations')).toEqual({
      status: 200,
      body: { status: 'success', message: 'OK', data: [shown], meta: { next_cursor: null } },
    });
    const said = await shop.ask<ConversationMessage>('POST', `${at(chat)}/messages`, {
      type: 'text',
      text: 'Ada, kak',
    });
    const reply = {
      ...{ id: said.body.data.id, type: 'text', text: 'Ada, kak', media_url: null, caption: null, location: null },
      ...{ from_me: true, author: expect.any(String), status: 'pending', error: null, at: instant },
    };
    expect(said).toEqual(succeeded(201, 'Message created', reply));
    const { data } = (await shop.ask<ConversationMessage[]>('GET', `${at(chat)}/messages`)).body;
    expect(data).toEqual([expect.objectContaining({ text: 'Ada ukuran 42?', from_me: false }), expect.anything()]);
    expect(data[1]).toMatchObject({ id: reply.id, text: 'Ada, kak' });
    expect(await sentTo(shop)).toEqual([{ nohp: PHONE, pesan: 'Ada, kak' }]);
    const mine = await shop.ask<Conversation>('POST', `${at(chat)}/assign`, { user_id: shop.ownerId });
    expect(mine).toMatchObject({
      status: 200,
      body: { data: { id: chat.id, status: 'handle', assignee: shop.ownerId } },
    });
    const closed = await shop.ask<Conversation>('POST', `${at(chat)}/close`, { note: 'Terjual' });
    expect(closed).toMatchObject({
      status: 200,
      body: { message: 'Conversation updated', data: { status: 'finish' } },
    });
    expect(await shop.ask('POST', `${at(chat)}/assign`, { team_id: '3' })).toEqual(
      refused(409, 'chat_finished', 'The conversation is closed'),
    );
  });

  it('is found by what the query says', async () => {
    const shop = await world.store();
    await shop.written(PHONE, 'sepatu');
    await shop.written('6281234567891', 'topi');
    const found = async (query: string) =>
      (await shop.ask<Conversation[]>('GET', `/livechat/conversations?${query}`)).body.data.map(
        ({ contact }) => contact.phone,
      );
    expect(await found('q=topi')).toEqual(['6281234567891']);
    expect(await found('unread=true&status=open&team_id=3')).toHaveLength(2);
    expect(await found('unread=false')).toEqual([]);
    expect(await found(`device_id=${shop.deviceId}&limit=1`)).toHaveLength(1);
    expect(await shop.ask('GET', `/livechat/conversations?device_id=${uuidv7()}`)).toEqual(
      notHere('device_id', 'is not a device of this store'),
    );
    expect(await shop.ask('GET', '/livechat/conversations?team_id=nobody')).toEqual(
      refused(404, 'not_found', 'Chat team not found'),
    );
    expect(await shop.ask('GET', '/livechat/conversations?cursor=forged')).toMatchObject({
      ...{ status: 422, body: { code: 'validation', errors: { cursor: [expect.any(String)] } } },
    });
  });

  it('is one message under one key, however often it is sent, and in no other conversation', async () => {
    const shop = await world.store();
    const [budi, siti] = [await shop.written(PHONE, 'halo'), await shop.written('6281234567891', 'halo')];
    const text = { type: 'text', text: 'Ya' };
    const made = await Promise.all(
      [1, 2, 3].map(() => shop.ask<ConversationMessage>('POST', `${at(budi)}/messages`, text, 'k-1')),
    );
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await sentTo(shop)).toHaveLength(1);
    expect(await shop.ask('POST', `${at(siti)}/messages`, text, 'k-1')).toEqual(
      refused(409, 'duplicate', 'This was done already'),
    );
  });

  it('takes every type of message with its own fields alone', async () => {
    const shop = await world.store();
    const chat = await shop.written(PHONE, 'halo');
    const media_id = await shop.picture();
    const say = (body: object) => shop.ask<ConversationMessage>('POST', `${at(chat)}/messages`, body);
    expect((await say({ type: 'image', media_id, caption: 'Topi' })).body.data).toMatchObject({
      ...{ type: 'image', caption: 'Topi', media_url: expect.stringMatching(/^http/) },
    });
    expect((await say({ type: 'document', media_id })).body.data).toMatchObject({ type: 'document' });
    expect((await say({ type: 'location', latitude: -6.2, longitude: 106.8, name: 'Toko' })).body.data).toMatchObject({
      location: { latitude: '-6.200000', longitude: '106.800000', name: 'Toko', address: null },
    });
    expect((await say({ type: 'link', url: 'https://toko.example/topi', text: 'Lihat' })).body.data).toMatchObject({
      ...{ type: 'link', text: 'Lihat\nhttps://toko.example/topi' },
    });
    const unseen = { media_id: await shop.upload('255044462d312e34', '\u200b\u202e'), caption: '\u200b' };
    expect((await say({ type: 'document', ...unseen })).body.data.caption).toBeNull();
    const names = await shop.there(
      `SELECT media->>'filename' AS name FROM messages WHERE store_id = $1 ORDER BY seq DESC LIMIT 1`,
    );
    expect(names).toEqual([{ name: 'file.pdf' }]);
    expect(await say({ type: 'text' })).toEqual(invalid('text', 'text is a required field'));
    expect(await say({ type: 'image' })).toEqual(invalid('media_id', 'media_id or url is required, not both'));
    expect(await say({ type: 'text', text: 'x', caption: 'y' })).toEqual(
      invalid('caption', 'caption does not go with the type text'),
    );
    expect(await say({ type: 'image', media_id: uuidv7() })).toEqual(
      notHere('media_id', 'is not a file for messages of this store'),
    );
    const inside = await say({ type: 'image', url: 'http://127.0.0.1/secret.png' });
    expect(inside).toMatchObject({ status: 422, body: { errors: { url: [expect.stringMatching(/^url /)] } } });
  });

  it('is handed to a user or a team, not to both and not to whom chat-backend does not know', async () => {
    const shop = await world.store();
    const chat = await shop.written(PHONE, 'halo');
    const hand = (body: object) => shop.ask('POST', `${at(chat)}/assign`, body);
    for (const body of [{}, { user_id: shop.ownerId, team_id: '3' }])
      expect(await hand(body)).toEqual(invalid('user_id', 'user_id or team_id is required, not both'));
    expect(await hand({ user_id: uuidv7() })).toEqual(refused(404, 'not_found', 'User not found'));
    expect(await hand({ team_id: 'nobody' })).toEqual(refused(404, 'not_found', 'Chat team not found'));
  });
});

describe('who sees what', () => {
  it('is what chat-backend allows: a member the chats of their own teams, and no others by any call', async () => {
    const shop = await world.store();
    await world.chat.database.query(`INSERT INTO teams (store_id, id, nama) VALUES ($1, '9', 'VIP')`, [shop.storeId]);
    const [open, closed] = [await shop.written(PHONE, 'halo'), await shop.written('6281234567891', 'rahasia')];
    const moved = await shop.ask<Conversation>('POST', `${at(closed)}/assign`, { team_id: '9' });
    const secret = moved.body.data;
    expect(secret.team).toBe('9');
    const rina = await shop.member('3');
    expect(await seenBy(rina.ask)).toEqual([PHONE]);
    expect((await rina.ask<ConversationMessage[]>('GET', `${at(open)}/messages`)).status).toBe(200);
    // With the team that it was in before, and with another device of the id
    const ref = conversationOf(secret.id);
    if (!ref) throw new Error('the id names no conversation');
    const disguised = { id: conversationIdOf({ ...ref, team: '3' }) };
    for (const one of [secret, closed, disguised])
      for (const [method, path, body] of [
        ['GET', '/messages'],
        ['POST', '/messages', { type: 'text', text: 'x' }],
        ['POST', '/assign', { user_id: rina.userId }],
        ['POST', '/close', {}],
      ] as const) {
        const { status } = await rina.ask(method, `${at(one)}${path}`, body);
        expect([method, path, [403, 404].includes(status)]).toEqual([method, path, true]);
      }
    expect(await rina.ask('GET', '/livechat/conversations?team_id=9')).toMatchObject({ status: 403 });
    expect(await seenBy((await shop.member('9')).ask)).toEqual(['6281234567891']);
    expect(await seenBy(shop.ask)).toHaveLength(2);
    expect(await sentTo(shop)).toEqual([]);
  });

  it('is lost to whoever leaves the team, whichever ids they have', async () => {
    const shop = await world.store();
    const chat = await shop.written(PHONE, 'halo');
    const rina = await shop.member('3');
    expect(await seenBy(rina.ask)).toEqual([PHONE]);
    // What store-auth tells everybody when the membership was pushed
    world.commerce.storeAuth.events.push({
      ...{ type: 'membership', store_id: shop.storeId, user_id: rina.userId, role: 'agent', teams: [], at: Date.now() },
    });
    await until(
      () => seenBy(rina.ask),
      ({ length }) => length === 0,
    );
    for (const query of ['q=halo', `q=${PHONE}`, 'unread=true', 'limit=1'])
      expect([query, (await rina.ask('GET', `/livechat/conversations?${query}`)).body.data]).toEqual([query, []]);
    const mayNot = refused(403, 'forbidden', 'You may not do this here');
    expect([
      await rina.ask('GET', '/livechat/conversations?team_id=3'),
      await rina.ask('GET', `${at(chat)}/messages`),
      await rina.ask('POST', `${at(chat)}/messages`, { type: 'text', text: 'x' }),
      await rina.ask('POST', `${at(chat)}/assign`, { user_id: rina.userId }),
      await rina.ask('POST', `${at(chat)}/close`, {}),
    ]).toEqual([mayNot, mayNot, mayNot, mayNot, mayNot]);
    expect(await seenBy(shop.ask)).toEqual([PHONE]);
    expect(await sentTo(shop)).toEqual([]);
  });

  it('is everything for an API token, which acts as the service, and nothing for one whose maker does not see all chats', async () => {
    const shop = await world.store();
    const chat = await shop.written(PHONE, 'halo');
    const program = await tokenWith(shop, ['chat.all', 'chat.reply']);
    expect(await seenBy(program)).toEqual([PHONE]);
    const said = await program<ConversationMessage>('POST', `${at(chat)}/messages`, {
      type: 'text',
      text: 'Dari program',
    });
    expect(said.status).toBe(201);
    expect(await sentTo(shop)).toEqual([{ nohp: PHONE, pesan: 'Dari program' }]);
    const narrow = await tokenWith(shop, ['chat.reply'], (await shop.member('3')).userId);
    const denied = refused(403, 'forbidden', 'This needs the ability chat.all', { ability: 'chat.all' });
    expect(await narrow('GET', '/livechat/conversations')).toEqual(denied);
    expect(await narrow('POST', `${at(chat)}/messages`, { type: 'text', text: 'x' })).toEqual(denied);
  });

  it('is nothing of another store, whatever the id', async () => {
    const [shop, other] = [await world.store(), await world.store()];
    const theirs = await other.written(PHONE, 'halo');
    const ref = conversationOf(theirs.id);
    if (!ref) throw new Error('the id names no conversation');
    const forged = { id: conversationIdOf({ ...ref, instance: shop.instance }) };
    const renamed = { id: conversationIdOf({ ...ref, chatId: `${shop.storeId}.${ref.chatId.split('.')[1]}` }) };
    const program = await tokenWith(shop, ['chat.all', 'chat.reply']);
    for (const ask of [shop.ask, program])
      for (const one of [theirs, forged]) {
        expect(await ask('GET', `${at(one)}/messages`)).toEqual(unknown);
        expect(await ask('POST', `${at(one)}/messages`, { type: 'text', text: 'x' })).toEqual(unknown);
        expect(await ask('POST', `${at(one)}/assign`, { team_id: '3' })).toEqual(unknown);
        expect(await ask('POST', `${at(one)}/close`, {})).toEqual(unknown);
      }
    expect((await shop.ask('GET', `${at(renamed)}/messages`)).status).toBe(404);
    expect(await seenBy(shop.ask)).toEqual([]);
    expect(await sentTo(other)).toEqual([]);
  });
});

it('the token of the caller is in no log, whatever the owner does with it', async () => {
  const shop = await world.store();
  const { token, ask } = await shop.member('3');
  const chat = await shop.written(PHONE, 'halo');
  await ask('GET', '/livechat/conversations');
  await ask('POST', `${at(chat)}/messages`, { type: 'text', text: '' });
  await world.chat.kill();
  expect((await ask('POST', `${at(chat)}/messages`, { type: 'text', text: 'x' })).status).toBe(502);
  await world.chat.restart();
  const logged = world.commerce.lines.join('\n');
  expect(logged).toContain('/api/livechat/conversations');
  for (const secret of [token, token.split('.')[2] ?? '']) expect(logged.includes(secret)).toBe(false);
});

describe('without chat-backend', () => {
  const rows = (chat: Conversation): [string, string, object?][] => [
    ['GET', '/livechat/conversations'],
    ['GET', `${at(chat)}/messages`],
    ['POST', `${at(chat)}/messages`, { type: 'text', text: 'x' }],
    ['POST', `${at(chat)}/assign`, { team_id: '3' }],
    ['POST', `${at(chat)}/close`, {}],
  ];
  const each = (shop: Shop, chat: Conversation) =>
    Promise.all(
      rows(chat).map(async ([method, path, body]) => {
        const answer = await shop.ask(method, path, body);
        return [answer.status, answer.body.code];
      }),
    );

  it('every row answers 504 while it hangs and 502 while it is down', async () => {
    const shop = await world.store();
    const chat = await shop.written(PHONE, 'halo');
    world.chat.freeze();
    const slow = await each(shop, chat);
    world.chat.awaken();
    await world.chat.kill();
    const down = await each(shop, chat);
    await world.chat.restart();
    expect(slow).toEqual(rows(chat).map(() => [504, 'provider_timeout']));
    expect(down).toEqual(rows(chat).map(() => [502, 'provider_error']));
  });
});
