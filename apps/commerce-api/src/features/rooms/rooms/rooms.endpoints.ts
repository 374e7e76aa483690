import type { Database, PageCursor } from '@platform/data';
import { area, cursorPage, dataOf, pageOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { byOf, type By } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { StaffMessage, userRoom, type Live } from '../../../live/public';
import { refusals } from '../../../refusals';
import type { MediaLibrary } from '../../media/uploads/public';
import { MessagesQuery, NewMessage, NewRoom, Room, RoomsQuery } from './rooms.dto';
import { hearersOf, messageListing, openRoom, postMessage, roomListing, roomRefusals } from './rooms.sql';

export interface RoomsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly cursors: PageCursor;
  readonly live: Live;
  readonly media: Pick<MediaLibrary, 'hold'>;
}

/** Throws `token_not_allowed`: rooms are for people. */
const person = (caller: Caller): Caller => {
  if (caller.kind !== 'user') throw refusals.tokenNotAllowed();
  return caller;
};

/** Stores a message, which the sockets of everybody in the room hear once it is committed. Throws `NotFound`. */
const write = (parts: RoomsParts, by: By, room: string, { text, media_id }: NewMessage): Promise<StaffMessage> =>
  parts.database.tx(async (tx) => {
    const hearers = await hearersOf(tx, by, room);
    const file = media_id && (await parts.media.hold(tx, by.storeId, media_id));
    if (file && file.purpose !== 'message')
      throw refusals.notHere('media_id', 'is not a file for messages of this store');
    const message = await postMessage(tx, by, { room, text, media_id });
    const rooms = hearers.map((userId) => userRoom(by.storeId, userId));
    parts.live.afterCommit(tx).emit(rooms, 'teamchat', { room_id: room.toLowerCase(), message });
    return message;
  });

const rooms = ({ database, clock }: RoomsParts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'Internal staff rooms',
    guard: 'member',
    query: RoomsQuery,
    reply: pageOf(Room),
    refuses: [refusals.tokenNotAllowed],
    handle: ({ caller, query }) => {
      const { storeId, actor } = person(caller);
      return roomListing.page(database, storeId, { ...query, user: actor });
    },
  }),
  endpoint({
    post: '',
    summary: 'Open room',
    guard: 'member',
    status: 201,
    body: NewRoom,
    reply: dataOf(Room, 'Room created'),
    refuses: ['notFound', refusals.tokenNotAllowed, roomRefusals.tooMany],
    handle: (input) => {
      person(input.caller);
      return database.tx((tx) => openRoom(tx, byOf(clock)(input), input.body));
    },
  }),
];

const messages = (parts: RoomsParts): Endpoint[] => [
  endpoint({
    get: '/{id}/messages',
    summary: 'Messages of a room',
    guard: 'member',
    query: MessagesQuery,
    reply: cursorPage(StaffMessage),
    refuses: ['notFound', refusals.tokenNotAllowed],
    handle: async ({ caller, params, query }) => {
      const { storeId, actor } = person(caller);
      await hearersOf(parts.database, { storeId, actor }, params.id);
      return messageListing.feed(parts.database, storeId, { ...query, room: params.id }, parts.cursors);
    },
  }),
  endpoint({
    post: '/{id}/messages',
    summary: 'Post message',
    guard: 'member',
    status: 201,
    body: NewMessage,
    reply: dataOf(StaffMessage, 'Message created'),
    refuses: ['notFound', refusals.tokenNotAllowed],
    handle: (input) => {
      person(input.caller);
      return write(parts, byOf(parts.clock)(input), input.params.id, input.body);
    },
  }),
];

export const roomsEndpoints = (parts: RoomsParts): Endpoint[] =>
  area({ prefix: '/api/teamchat/rooms', tag: 'Team' }, [...rooms(parts), ...messages(parts)]);
