import { sidHashOf, type RevocationList, type TokenVerifier } from '@platform/auth';
import { Forbidden, Unauthenticated } from '@platform/errors';
import { openRealtime, type Admission, type Handshake, type Realtime, type RedisConnection } from '@platform/realtime';
import type { Clock, Logger } from '@platform/runtime';
import type { Access } from '../features/identity/access/public';
import { liveApi, userRoom, type LiveEvents } from './live.api';

export interface LiveOptions {
  readonly verifier: TokenVerifier;
  readonly revocations: Pick<RevocationList, 'onChange'>;
  readonly access: Pick<Access, 'member'>;
  readonly cors: '*' | readonly string[];
  readonly redis?: () => RedisConnection;
  /** Where the other replicas reach this one. */
  readonly address: string;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Other replicas tell of lost rights at once by Redis, and this finds what a lost message left, or all of it without Redis. */
const WITH_REDIS_S = 60;
const ALONE_S = 4;

/** A login and a token have rooms too, so that a revocation finds their sockets. */
const loginRoom = (sidHash: string): string => `login:${sidHash}`;
const tokenRoom = (jti: string): string => `token:${jti}`;

/** A member of the store of the token, as the store knows them now. */
const admit =
  ({ verifier, access }: LiveOptions) =>
  async ({ auth }: Handshake): Promise<Admission<string>> => {
    if (typeof auth.token !== 'string') throw new Unauthenticated({ reason: 'missing' });
    const { store_id: storeId, sub, sid, jti, exp, role } = await verifier.verify(auth.token);
    if (storeId === '' || role === 'service' || role === 'bot') throw new Unauthenticated({ reason: 'invalid' });
    const { suspended } = await access.member(storeId, sub);
    if (suspended) throw new Forbidden('The store is suspended', { code: 'store_suspended' });
    const rooms = [userRoom(storeId, sub), loginRoom(sidHashOf(sid)), tokenRoom(jti)];
    return { session: sub, rooms, identity: `${storeId}/${sub}`, expiresAt: new Date(exp * 1000) };
  };

/**
 * The socket.io endpoint of the shop, on the HTTP port. A revoked login or token loses its sockets at once, and so does a member whose
 * membership has ended; every replica hears of both and sees to its own sockets.
 */
export const liveSockets = (options: LiveOptions): Realtime<LiveEvents> => {
  const sockets = openRealtime<LiveEvents, string>({
    name: liveApi.name,
    cors: options.cors,
    authenticate: admit(options),
    ...(options.redis ? { redis: options.redis } : {}),
    address: options.address,
    readmitSeconds: options.redis ? WITH_REDIS_S : ALONE_S,
    logger: options.logger,
    clock: options.clock,
  });
  options.revocations.onChange((event) => {
    if (event.type === 'membership') return void sockets.readmit(userRoom(event.store_id, event.user_id));
    if (event.sid_hash !== undefined) sockets.disconnect(loginRoom(event.sid_hash));
    if (event.jti !== undefined) sockets.disconnect(tokenRoom(event.jti));
  });
  return sockets;
};
