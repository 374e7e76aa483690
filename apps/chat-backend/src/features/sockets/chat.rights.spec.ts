import { revocationList, sidHashOf, tokenVerifier, type RevocationList } from '@platform/auth';
import { chatRooms, type AuthEvent } from '@platform/contracts';
import type { Realtime } from '@platform/realtime';
import { silentLogger } from '@platform/runtime';
import { testDatabase, testTokens, until, type TestDatabase, type TestTokens } from '@platform/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { migrations, SCHEMA } from '../../data-source';
import { chatSockets } from './chat.sockets';
import type { ChatEvents } from './socket.api';
import { closeClients, openClient } from './sockets.fixture';

const CHAT = { id: '0192f3a0-0000-7000-8000-000000000001', team: '3' };
const CHAT_ID = `S1.${CHAT.id}`;

let database: TestDatabase;
let tokens: TestTokens;
let revocations: RevocationList;
let sockets: Realtime<ChatEvents>;
let server: Server;
let url: string;
const news: AuthEvent[] = [];

beforeAll(async () => {
  database = await testDatabase({ schema: SCHEMA, migrations });
  await database.query(
    `INSERT INTO stores (store_id, nama) VALUES ('S1', 'Satu');
     INSERT INTO teams (store_id, id, nama) VALUES ('S1', '3', 'CS'), ('S1', '4', 'VIP');
     INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at) VALUES ('S1', '${CHAT.id}', 'dev1', '628', '3', '${CHAT.id}', 0, now())`,
  );
  tokens = await testTokens('chat-backend');
  const since = () => Promise.resolve({ items: news.splice(0), cursor: '' });
  revocations = revocationList({ feed: { since }, logger: silentLogger });
  const verifier = tokenVerifier({ keys: tokens.keys, audience: 'chat-backend', revocations, logger: silentLogger });
  const media = { sign: (json: string) => json };
  sockets = chatSockets({
    verifier,
    revocations,
    sql: database,
    media,
    cors: [],
    address: 'http://127.0.0.1:1',
    logger: silentLogger,
  });
  server = createServer();
  sockets.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  closeClients();
  await sockets.stop?.();
  await revocations.stop?.();
  server.close();
  await database.stop?.();
});

/** Has the service hear an event of store-auth's feed now. */
const learn = async (event: AuthEvent) => {
  news.push(event);
  await revocations.refresh();
};
const client = (claims: object) => openClient<{ team?: string; chatId?: string }>(url, tokens.tokenFor(claims));
const later = () => Math.floor(Date.now() / 1000) + 600;
const tell = (rooms: readonly string[]) => {
  for (const room of rooms) sockets.emit(room, 'updateTeamchat', { team: room, unread_chat: 1 });
};

describe('a socket', () => {
  it.each([
    ['its login is revoked', (sid: string) => ({ sid_hash: sidHashOf(sid) })],
    ['its token is revoked', (_: string, jti: string) => ({ jti })],
  ])('is closed when %s, and only that one', async (name, of) => {
    const own = { sub: 'u1', sid: `sid-${name}`, jti: `jti-${name}` };
    const [revoked, other] = [await client(own), await client({ ...own, sid: 'other', jti: `other-${name}` })];
    await learn({ type: 'revoke', ...of(own.sid, own.jti), exp: later() });
    await until(() => !revoked.socket.connected);
    expect(other.socket.connected).toBe(true);
    await expect(client(own)).rejects.toThrow('Unauthenticated');
  });

  it('leaves a lost team and its chats, and hears a new team, without a new connection', async () => {
    const iat = Math.floor(Date.now() / 1000) - 60;
    const moved = await client({ sub: 'u2', teams: ['3'], iat });
    const stays = await client({ sub: 'u3', teams: ['3'], iat });
    for (const one of [moved, stays])
      expect(await one.socket.emitWithAck('chatJoin', { chatId: CHAT_ID })).toEqual({ result: true });
    await learn({ type: 'membership', store_id: 'S1', user_id: 'u2', role: 'agent', teams: ['4'], at: Date.now() });
    await until(
      () => sockets.audience(chatRooms.team('S1', '4')),
      (count) => count === 1,
    );
    await until(
      () => sockets.audience(chatRooms.chat('S1', CHAT_ID)),
      (count) => count === 1,
    );
    const rooms = [chatRooms.team('S1', '3'), chatRooms.chat('S1', CHAT_ID), chatRooms.team('S1', '4')];
    tell(rooms);
    await until(() => moved.events.length > 0 && stays.events.length > 1);
    expect(moved.events.map(({ payload }) => payload.team)).toEqual([rooms[2]]);
    expect(stays.events.map(({ payload }) => payload.team)).toEqual([rooms[0], rooms[1]]);
    expect(await moved.socket.emitWithAck('chatJoin', { chatId: CHAT_ID })).toMatchObject({ code: 'chat_not_found' });
  });

  it('that returns after its user got other teams hears nothing of the former ones', async () => {
    const iat = Math.floor(Date.now() / 1000) - 60;
    const { socket, events } = await client({ sub: 'u5', teams: ['3'], iat });
    const rooms = [chatRooms.team('S1', '3'), chatRooms.team('S1', '4')];
    tell(rooms.slice(0, 1));
    await until(() => events.length > 0);
    const connections = sockets.connections();
    socket.io.engine.close();
    await until(() => !socket.connected && sockets.connections() < connections);
    await learn({ type: 'membership', store_id: 'S1', user_id: 'u5', role: 'agent', teams: ['4'], at: Date.now() });
    tell(rooms);
    await new Promise<void>((resolve) => socket.once('connect', resolve).connect());
    tell(rooms);
    await until(() => events.length > 1);
    expect(events.map(({ payload }) => payload.team)).toEqual(rooms);
    expect(socket.recovered).toBe(false);
    socket.close();
    await until(() => sockets.connections() < connections);
  });

  it('the socket of a user who became supervisor hears every team', async () => {
    const iat = Math.floor(Date.now() / 1000) - 60;
    const risen = await client({ sub: 'u4', teams: [], iat });
    await learn({ type: 'membership', store_id: 'S1', user_id: 'u4', role: 'supervisor', teams: [], at: Date.now() });
    await until(
      () => sockets.audience(chatRooms.team('S1', '4')),
      (count) => count === 2,
    );
    tell([chatRooms.team('S1', '3')]);
    await until(() => risen.events.length > 0);
  });
});
