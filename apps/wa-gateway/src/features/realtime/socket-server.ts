import { equalSecrets } from '@platform/auth';
import { gatewayRooms } from '@platform/contracts';
import { Unauthenticated } from '@platform/errors';
import { openRealtime, type Call, type Realtime, type RealtimeOptions } from '@platform/realtime';
import type { Logger } from '@platform/runtime';
import { gatewaySocketApi, type GatewayEvents, type GatewayRequests } from './socket.api';

export interface SocketServerOptions {
  /** REALTIME_TOKEN: compared with the handshake's `auth.token` when set. */
  readonly token: string | undefined;
  readonly redis: RealtimeOptions<undefined>['redis'];
  /** Where the other replicas reach this one. */
  readonly address: string;
  readonly logger: Logger;
}

const roomName = (payload: unknown, key: 'instance' | 'team'): string | undefined => {
  const value = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? gatewayRooms[key](value) : undefined;
};

/** `join {instance?,team?}` is answered with `{joined:[…]}` (design 2.5). */
const join = ({ payload, join: enter }: Call<undefined>): { joined: string[] } => {
  const rooms = [roomName(payload, 'instance'), roomName(payload, 'team')];
  const joined = rooms.filter((room): room is string => room !== undefined);
  if (joined.length > 0) enter(...joined);
  return { joined };
};

/** Sockets on the HTTP port, open to every origin, as the contract says; an optional token closes them. */
export const openSockets = ({ token, redis, address, logger }: SocketServerOptions): Realtime<GatewayEvents> =>
  openRealtime<GatewayEvents, undefined>({
    name: gatewaySocketApi.name,
    cors: '*',
    authenticate: ({ auth }) => {
      const given = auth.token;
      if (token && !(typeof given === 'string' && equalSecrets(given, token)))
        throw new Unauthenticated({ reason: given === undefined ? 'missing' : 'invalid' });
      return { session: undefined, rooms: [] };
    },
    requests: { join } satisfies GatewayRequests,
    mayStay: () => true,
    redis,
    address,
    logger,
  });
