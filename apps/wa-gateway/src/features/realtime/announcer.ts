import { gatewayRooms, type GatewayEvents } from '@platform/contracts';
import type { Realtime } from '@platform/realtime';

/** Tells socket clients what happened on a device. */
export interface Announcer {
  /** Everybody, or the device's room, as REALTIME_SCOPE says. */
  tell<E extends keyof GatewayEvents>(instanceId: string, event: E, payload: GatewayEvents[E]): void;
  /** The device's room, whatever the scope: whoever scans a QR code owns the account's messages (design 6). */
  tellRoom<E extends keyof GatewayEvents>(instanceId: string, event: E, payload: GatewayEvents[E]): void;
  /** Everybody, or nobody but the device's room when it is named. Resolves to the number of clients reached. */
  broadcast<E extends keyof GatewayEvents>(
    instanceId: string | undefined,
    event: E,
    payload: GatewayEvents[E],
  ): Promise<number>;
}

export const createAnnouncer = (realtime: Realtime<GatewayEvents>, scope: 'global' | 'room'): Announcer => {
  const audience = (instanceId: string | undefined): string =>
    scope === 'global' || instanceId === undefined ? 'everyone' : gatewayRooms.instance(instanceId);
  return {
    tell: (instanceId, event, payload) => realtime.emit(audience(instanceId), event, payload),
    tellRoom: (instanceId, event, payload) => realtime.emit(gatewayRooms.instance(instanceId), event, payload),
    broadcast: async (instanceId, event, payload) => {
      const to = audience(instanceId);
      const clients = await realtime.audience(to);
      realtime.emit(to, event, payload);
      return clients;
    },
  };
};
