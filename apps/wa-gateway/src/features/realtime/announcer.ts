import { gatewayRooms } from '@platform/contracts';
import type { Realtime } from '@platform/realtime';
import type { GatewayEvents } from './socket.api';

/** Whom an event is for, as far as its request says. */
export interface Audience {
  readonly instance?: string;
  readonly team?: string;
}

/** Tells socket clients what happened on a device. */
export interface Announcer {
  /** Everybody, or the device's room, as REALTIME_SCOPE says. */
  tell<E extends keyof GatewayEvents>(instanceId: string, event: E, payload: GatewayEvents[E]): void;
  /** The device's room, whatever the scope: whoever scans a QR code owns the account's messages (design 6). */
  tellRoom<E extends keyof GatewayEvents>(instanceId: string, event: E, payload: GatewayEvents[E]): void;
  /**
   * Everybody, or, with REALTIME_SCOPE=room, the rooms that are named; an event that names none has no room to go to and is
   * for everybody. Resolves to the number of clients reached, on all replicas.
   */
  broadcast<E extends keyof GatewayEvents>(audience: Audience, event: E, payload: GatewayEvents[E]): Promise<number>;
}

const roomsOf = ({ instance, team }: Audience): string[] => [
  ...(instance === undefined ? [] : [gatewayRooms.instance(instance)]),
  ...(team === undefined ? [] : [gatewayRooms.team(team)]),
];

export const createAnnouncer = (realtime: Realtime<GatewayEvents>, scope: 'global' | 'room'): Announcer => {
  const target = (audience: Audience): string | string[] => {
    const rooms = roomsOf(audience);
    return scope === 'global' || rooms.length === 0 ? 'everyone' : rooms;
  };
  return {
    tell: (instance, event, payload) => realtime.emit(target({ instance }), event, payload),
    tellRoom: (instance, event, payload) => realtime.emit(gatewayRooms.instance(instance), event, payload),
    broadcast: async (audience, event, payload) => {
      const to = target(audience);
      const clients = await realtime.audience(to);
      realtime.emit(to, event, payload);
      return clients;
    },
  };
};
