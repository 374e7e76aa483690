import type { Area } from '../../area';
import { roomsEndpoints } from './rooms/rooms.endpoints';
import { roomsPages } from './rooms/rooms.pages';
import type { RoomsParts } from './rooms/rooms.service';

/** Where the staff of a store talk among themselves. */
export const composeRooms = (parts: RoomsParts): Area => ({
  endpoints: roomsEndpoints(parts),
  pages: [roomsPages(parts)],
  components: [],
  abilities: [],
});
