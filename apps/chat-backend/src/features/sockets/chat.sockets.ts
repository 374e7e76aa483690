import { sidHashOf, type RevocationList, type TokenVerifier } from '@platform/auth';
import { chatRooms } from '@platform/contracts';
import type { Sql } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import {
  openRealtime,
  type Admission,
  type Call,
  type Handshake,
  type Realtime,
  type RedisConnection,
} from '@platform/realtime';
import type { Logger } from '@platform/runtime';
import type { MediaLinks } from '../media/public';
import { chatIdOf, parseChatId } from '../records/public';
import { seesGroups, scopeOf, sightOf, visible, type Scope } from '../tenancy/public';
import { syncRequest } from './chat.sync';
import { chatSocketApi, type ChatEvents, type ChatRequests } from './socket.api';
import type { Done, NoSuchChat } from './socket.dto';

export interface ChatSocketOptions {
  readonly verifier: TokenVerifier;
  readonly revocations: Pick<RevocationList, 'onChange'>;
  readonly sql: Sql;
  readonly media: Pick<MediaLinks, 'sign'>;
  readonly cors: '*' | readonly string[];
  readonly redis?: () => RedisConnection;
  /** Where the other replicas reach this one. */
  readonly address: string;
  readonly logger: Logger;
}

const MAY_SEE = `SELECT 1 AS yes FROM conversations c WHERE c.store_id = $1 AND c.id = $2 AND ${visible('c', '$3', '$4')}`;

/** Enters a chat's room after the check that reading it over HTTP makes. */
const join =
  (sql: Sql) =>
  async ({ session, payload, join: enter }: Call<Scope>): Promise<Done | NoSuchChat> => {
    const chatId = (payload as { chatId?: unknown } | null)?.chatId;
    const chat = typeof chatId === 'string' ? parseChatId(chatId) : undefined;
    const own = chat && chat.storeId === session.storeId;
    const [seen] = own
      ? await sql.prepared('socket_may_see', MAY_SEE, [
          chat.storeId,
          chat.conversationId,
          sightOf(session),
          seesGroups(session),
        ])
      : [];
    if (!chat || !seen) return { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' };
    enter(chatRooms.chat(chat.storeId, chatIdOf(chat)));
    return { result: true };
  };

const leave = ({ payload, leave: out }: Call<Scope>) => {
  const chatId = (payload as { chatId?: unknown } | null)?.chatId;
  const chat = typeof chatId === 'string' ? parseChatId(chatId) : undefined;
  if (chat) out(chatRooms.chat(chat.storeId, chatIdOf(chat)));
  return { result: true };
};

/** Those who hear every team of a store, future ones too. */
const supervisorsRoom = (store: string): string => `${chatRooms.store(store)}:supervisors`;

/** Teams were added, removed, opened or closed: supervisors hear the new ones, and whoever may no longer read a chat leaves it. */
export const teamsChanged = (
  sockets: Pick<Realtime<ChatEvents>, 'enter' | 'recheck'>,
  store: string,
  teams: readonly string[],
): void => {
  const rooms = teams.map((team) => chatRooms.team(store, team));
  sockets.enter(supervisorsRoom(store), rooms);
  sockets.recheck(chatRooms.chat(store, ''), [supervisorsRoom(store)]);
};

/**
 * Other replicas tell of lost rights at once by Redis, and this finds what a lost message left. Without Redis it finds all that
 * another process did, such as the one of the former release, as soon as the feed of store-auth tells of logins.
 */
const WITH_REDIS_S = 60;
const ALONE_S = 4;

/** A login and a token have rooms too, so that a revocation finds their sockets. */
const loginRoom = (sidHash: string): string => `login:${sidHash}`;
const tokenRoom = (jti: string): string => `token:${jti}`;

/** Always a token: an allowlisted address gets no socket. Rooms follow from the claims; supervisors hear every team. */
const admit =
  ({ verifier, sql }: ChatSocketOptions) =>
  async ({ auth }: Handshake): Promise<Admission<Scope>> => {
    if (typeof auth.token !== 'string') throw new Unauthenticated({ reason: 'missing' });
    const claims = await verifier.verify(auth.token);
    const scope = scopeOf({ kind: 'token', claims });
    if (scope.storeId === undefined) throw new Unauthenticated({ reason: 'invalid' });
    const store = scope.storeId;
    const teams =
      scope.teams ??
      (await sql.prepared<{ id: string }>('socket_teams', 'SELECT id FROM teams WHERE store_id = $1', [store])).map(
        ({ id }) => id,
      );
    const rooms = [
      chatRooms.store(store),
      chatRooms.user(store, claims.sub),
      loginRoom(sidHashOf(claims.sid)),
      tokenRoom(claims.jti),
      ...(scope.teams === undefined ? [supervisorsRoom(store)] : []),
      ...teams.map((team) => chatRooms.team(store, team)),
    ];
    return { session: scope, rooms, identity: `${store}/${claims.sub}`, expiresAt: new Date(claims.exp * 1000) };
  };

const openSockets = (options: ChatSocketOptions, requests: ChatRequests): Realtime<ChatEvents> =>
  openRealtime<ChatEvents, Scope>({
    name: chatSocketApi.name,
    cors: options.cors,
    authenticate: admit(options),
    requests: { ...requests },
    mayStay: async (scope, room) => {
      const chat = parseChatId(room.split(':c:')[1] ?? '');
      // All other rooms follow from the token
      if (!chat || chat.storeId !== scope.storeId) return false;
      return (
        (
          await options.sql.prepared('socket_may_see', MAY_SEE, [
            chat.storeId,
            chat.conversationId,
            sightOf(scope),
            seesGroups(scope),
          ])
        ).length > 0
      );
    },
    ...(options.redis ? { redis: options.redis } : {}),
    address: options.address,
    readmitSeconds: options.redis ? WITH_REDIS_S : ALONE_S,
    logger: options.logger,
  });

/**
 * The socket.io endpoint of design 5.4, on the HTTP port. A revoked login or token loses its sockets at once, a changed
 * membership leaves and enters rooms; every replica hears of both and sees to its own sockets.
 */
export const chatSockets = (options: ChatSocketOptions): Realtime<ChatEvents> => {
  const { sql, media } = options;
  const sockets = openSockets(options, { chatJoin: join(sql), chatLeave: leave, sync: syncRequest(sql, media) });
  options.revocations.onChange((event) => {
    if (event.type === 'membership') return void sockets.readmit(chatRooms.user(event.store_id, event.user_id));
    if (event.sid_hash !== undefined) sockets.disconnect(loginRoom(event.sid_hash));
    if (event.jti !== undefined) sockets.disconnect(tokenRoom(event.jti));
  });
  return sockets;
};
