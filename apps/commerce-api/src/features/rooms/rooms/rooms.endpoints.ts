import { area, cursorPage, dataOf, pageOf, type Endpoint } from '@platform/http';
import type { Caller } from '../../../abilities';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { StaffMessage } from '../../../live/public';
import { refusals } from '../../../refusals';
import { MessagesQuery, NewMessage, NewRoom, Room, RoomsQuery } from './rooms.dto';
import { say, type RoomsParts } from './rooms.service';
import { hearersOf, messageListing, openRoom, roomListing, roomRefusals } from './rooms.sql';

/** Throws `token_not_allowed`: rooms are for people. */
const person = (caller: Caller): Caller => {
  if (caller.kind !== 'user') throw refusals.tokenNotAllowed();
  return caller;
};

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
      return say(parts, byOf(parts.clock)(input), input.params.id, input.body);
    },
  }),
];

export const roomsEndpoints = (parts: RoomsParts): Endpoint[] =>
  area({ prefix: '/api/teamchat/rooms', tag: 'Team' }, [...rooms(parts), ...messages(parts)]);
