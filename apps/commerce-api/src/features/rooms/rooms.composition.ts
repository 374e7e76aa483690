import type { Area } from '../../area';
import { roomsEndpoints, type RoomsParts } from './rooms/rooms.endpoints';

/** Where the staff of a store talk among themselves. */
export const composeRooms = (parts: RoomsParts): Area => ({
  endpoints: roomsEndpoints(parts),
  components: [],
  abilities: [],
});
