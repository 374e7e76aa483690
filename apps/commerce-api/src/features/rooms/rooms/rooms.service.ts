import type { Database, PageCursor } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { By } from '../../../by';
import { userRoom, type Live, type StaffMessage } from '../../../live/public';
import { refusals } from '../../../refusals';
import type { MediaLibrary } from '../../media/uploads/public';
import type { NewMessage } from './rooms.dto';
import { hearersOf, postMessage } from './rooms.sql';

export interface RoomsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly cursors: PageCursor;
  readonly live: Live;
  readonly media: Pick<MediaLibrary, 'hold'>;
}

/** Stores a message, which the sockets of everybody in the room hear once it is committed. Throws `NotFound`. */
export const say = (
  parts: Pick<RoomsParts, 'live' | 'media'> & { readonly database: Pick<Database, 'tx'> },
  by: By,
  room: string,
  { text, media_id }: NewMessage,
): Promise<StaffMessage> =>
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
