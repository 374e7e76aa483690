import { isUuid } from '@platform/runtime';
import { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { follow } from '../../../web/live/follow';
import { action, actions, page } from '../../../web/page';
import type { Viewer } from '../../../web/viewer';
import { within } from '../../../web/within';
import { memberNames } from '../../team/members/public';
import { NewRoom } from './rooms.dto';
import { say, type RoomsParts } from './rooms.service';
import { hearersOf, messageListing, openRoom, roomById, roomListing } from './rooms.sql';
import { roomTexts } from './rooms.texts';
import { RoomPageQuery, roomTyped, Said } from './rooms.types';
import { Messages, RoomsView } from './rooms.view';

const PATH = '/team-chat';
/** Each look is one read of one room. */
const LOOK_MS = 4_000;

const labels = (t: Reader) => {
  const words = roomTexts(t);
  return { name: words.name, user_ids: words.members, 'user_ids[]': words.members, text: words.text };
};
const conflicts = { too_many_rooms: { text: (t: Reader) => roomTexts(t).tooMany } };

/** The last that was said in a room. Throws `NotFound` for who is not in it. */
const messagesOf = async (parts: RoomsParts, { caller }: Viewer, room: string, cursor?: string) => {
  await hearersOf(parts.database, caller, room);
  return messageListing.feed(parts.database, caller.storeId, { room, ...(cursor && { cursor }) }, parts.cursors);
};

/** The room that was asked for, else the first. */
const opened = async (parts: RoomsParts, viewer: Viewer, first: string | undefined, query: RoomPageQuery) => {
  const id = query.room ?? first;
  if (id === undefined) return undefined;
  const messages = await messagesOf(parts, viewer, id, query.cursor);
  return { room: await roomById(parts.database, viewer.caller.storeId, id), messages };
};

const ownRooms = ({ database }: RoomsParts, { caller }: Viewer, query: RoomPageQuery) =>
  roomListing.page(database, caller.storeId, { page: query.page, per_page: 50, user: caller.actor });

const list = (parts: RoomsParts) =>
  page({
    get: PATH,
    ability: 'member',
    query: RoomPageQuery,
    title: ({ t }) => t.nav.places.rooms,
    load: async ({ viewer, query, typed }) => {
      // A message that came back is shown in its room, and one that names none in the first
      const room = typeof typed?.room === 'string' && isUuid(typed.room) ? typed.room : query.room;
      const [listed, members] = await Promise.all([
        ownRooms(parts, viewer, query),
        memberNames(parts.database, viewer.caller.storeId),
      ]);
      const open = await opened(parts, viewer, listed.rows[0]?.id, { ...query, ...(room !== undefined && { room }) });
      return { listed, members: members.filter(({ id }) => id !== viewer.caller.actor), open };
    },
    view: RoomsView,
    live: async (live) => {
      const { query, t } = live.asked;
      const id = query.room ?? (await ownRooms(parts, live.viewer(), query)).rows[0]?.id;
      if (id === undefined) return;
      await follow(live, LOOK_MS, async () => {
        const viewer = live.viewer();
        return <Messages open={{ messages: await messagesOf(parts, viewer, id) }} own={viewer.caller.actor} t={t} />;
      });
    },
    ...{ labels, conflicts },
  });

/** Where the staff of a shop talk among themselves. */
export const roomsPages = (parts: RoomsParts): Pages => {
  const by = byOf(parts.clock);
  const all = list(parts);
  const to = (room: string): string => `${PATH}?room=${room}`;
  const changed = actions({
    ...{ post: PATH, ability: 'member', of: all },
    on: {
      say: action({
        body: Said,
        run: async ({ viewer, body: { room, ...message }, tx }) => {
          await say({ ...parts, database: within(tx) }, by(viewer), room, message);
          return room;
        },
        done: (room) => ({ to: to(room) }),
      }),
      open: action({
        ...{ body: NewRoom, reads: roomTyped },
        run: ({ viewer, body, tx }) => openRoom(tx, by(viewer), body),
        done: ({ id, name }, { t }) => ({ to: to(id), flash: roomTexts(t).opened({ name }) }),
      }),
    },
  });
  return (kit) => [all, changed].flatMap((pages) => pages(kit));
};
