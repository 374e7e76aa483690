import { setTimeout as delay } from 'node:timers/promises';
import { Failure, Unauthenticated } from '@platform/errors';
import { systemClock } from '@platform/runtime';
import type { Socket } from 'socket.io';
import type { Admission, Handshake, RealtimeOptions } from './realtime.types';

/** The longest time setTimeout can wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Rights that could not be looked up are asked for again after one, two, four … seconds, and a random part of them. */
const DOUBT_MS = 1_000;
const LONGEST_DOUBT_MS = 30_000;

type Right = boolean | 'in doubt';

interface Guest<Session> {
  /** The admission of the newest token. */
  auth: Readonly<Record<string, unknown>>;
  admission: Admission<Session>;
  /** Rooms outside of which it waits until its rights to them are known. */
  readonly doubtful: Set<string>;
  timer?: NodeJS.Timeout;
}

const handshakeOf = ({ handshake }: Socket, auth: Readonly<Record<string, unknown>> = handshake.auth): Handshake => ({
  auth,
  headers: handshake.headers,
  remoteAddress: handshake.address,
});

interface Refusal extends Error {
  readonly data?: { readonly kind: string; readonly reason?: unknown };
}

/** Sent to a refused client as `error.message` and `error.data`. */
export const refusalOf = (thrown: unknown): Refusal => {
  const kind = thrown instanceof Failure ? thrown.kind : 'unexpected';
  if (kind === 'unavailable' || kind === 'unexpected')
    return Object.assign(new Error('Unavailable'), { data: { kind: 'unavailable' } });
  const reason = thrown instanceof Failure && 'reason' in thrown ? thrown.reason : undefined;
  return Object.assign(new Error('Unauthenticated'), { data: { kind, reason } });
};

const isTemporary = (refusal: unknown): boolean => (refusal as Refusal).data?.kind === 'unavailable';

/** Admits sockets, keeps their identity, and closes them when their token expires. */
export class Admissions<Session> {
  private readonly guests = new WeakMap<Socket, Guest<Session>>();

  constructor(private readonly options: RealtimeOptions<Session>) {}

  /**
   * Before the connection: rejects with the client's error. Resolves to whether a client that returns may hear everything that
   * it heard before.
   */
  async admit(socket: Socket): Promise<boolean> {
    const admission = await this.authenticate(handshakeOf(socket));
    const auth = socket.handshake.auth as Readonly<Record<string, unknown>>;
    this.guests.set(socket, { admission, auth, doubtful: new Set() });
    return socket.recovered && (await this.leaveForeign(socket, admission, 'begins anew'));
  }

  /** At the connection. */
  welcome(socket: Socket): void {
    const guest = this.guestOf(socket);
    void socket.join([...guest.admission.rooms]);
    this.watch(socket, guest);
    socket.on('disconnect', () => clearTimeout(guest.timer));
    // Rights may have been lost since, when it was in no room by which it could have been found
    if (this.options.readmitSeconds) void this.readmit(socket, 'stays');
  }

  sessionOf(socket: Socket): Session {
    return this.guestOf(socket).admission.session;
  }

  /** `authRefresh { token }`: the same person with a newer token; leaves rooms that the new token does not give or allow. */
  async refresh(socket: Socket, auth: Readonly<Record<string, unknown>>): Promise<{ expiresAt: string | null }> {
    const guest = this.guestOf(socket);
    const next = await this.authenticate(handshakeOf(socket, auth));
    if (next.identity !== guest.admission.identity) throw refusalOf(new Unauthenticated({ reason: 'invalid' }));
    guest.auth = auth;
    this.replace(socket, guest, next);
    await this.leaveForeign(socket, next, 'leaves');
    return { expiresAt: next.expiresAt?.toISOString() ?? null };
  }

  /**
   * The same token under current rights: rooms are left and entered, a socket that is no longer admitted is closed. `inDoubt`:
   * what becomes of it, and of its place in a room, while its rights cannot be found out. One that leaves comes back by itself.
   */
  async readmit(socket: Socket, inDoubt: 'leaves' | 'stays' = 'leaves'): Promise<void> {
    const guest = this.guestOf(socket);
    const { auth } = guest;
    try {
      const next = await this.authenticate(handshakeOf(socket, auth));
      // A newer token came meanwhile, with rights of its own
      if (guest.auth !== auth) return;
      this.replace(socket, guest, next);
      await this.leaveForeign(socket, next, inDoubt);
    } catch (refusal) {
      if (!isTemporary(refusal)) socket.disconnect(true);
      // A client does not reconnect after a disconnect, but after the loss of its connection
      else if (inDoubt === 'leaves') socket.conn.close();
    }
  }

  /**
   * Rights to requested rooms may have changed: leaves them at once, and enters again when `mayStay` has allowed it. Events in
   * between are missed by those who stay, as in a short loss of connection, and reach nobody who must not have them.
   */
  async recheck(socket: Socket, rooms: readonly string[]): Promise<void> {
    for (const room of rooms) void socket.leave(room);
    for (const room of rooms) await this.comeBack(socket, room, await this.rightTo(socket, room));
  }

  /**
   * Enters a room that was just allowed. Rights may have been lost since, when the socket could not yet be evicted from the
   * room: they are checked again from inside.
   */
  async enter(socket: Socket, room: string): Promise<void> {
    void socket.join(room);
    if (!this.options.mayStay) return;
    const right = await this.rightTo(socket, room);
    if (right === true) return;
    void socket.leave(room);
    if (right === 'in doubt') this.wait(socket, room);
  }

  /** As the client wishes. */
  leave(socket: Socket, room: string): void {
    this.guestOf(socket).doubtful.delete(room);
    void socket.leave(room);
  }

  private async comeBack(socket: Socket, room: string, right: Right): Promise<void> {
    if (right === 'in doubt') this.wait(socket, room);
    else if (right && socket.connected) await this.enter(socket, room);
  }

  /** Asks until the rights to the room are known, or nobody wants to. */
  private wait(socket: Socket, room: string): void {
    const { doubtful } = this.guestOf(socket);
    if (doubtful.has(room)) return;
    doubtful.add(room);
    this.options.logger.warn('rights to a room could not be checked; the socket is outside until they can', { room });
    const ask = async (): Promise<void> => {
      let right: Right = 'in doubt';
      for (let pauseMs = DOUBT_MS; right === 'in doubt'; pauseMs = Math.min(LONGEST_DOUBT_MS, pauseMs * 2)) {
        await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { ref: false });
        if (!socket.connected || !doubtful.has(room)) return;
        right = await this.rightTo(socket, room);
      }
      if (doubtful.delete(room)) await this.comeBack(socket, room, right);
    };
    void ask();
  }

  private async rightTo(socket: Socket, room: string): Promise<Right> {
    try {
      return (await this.options.mayStay?.(this.sessionOf(socket), room)) ?? false;
    } catch {
      return 'in doubt';
    }
  }

  private replace(socket: Socket, guest: Guest<Session>, next: Admission<Session>): void {
    for (const room of guest.admission.rooms) if (!next.rooms.includes(room)) void socket.leave(room);
    void socket.join([...next.rooms]);
    guest.admission = next;
    this.watch(socket, guest);
  }

  private async authenticate(handshake: Handshake): Promise<Admission<Session>> {
    try {
      return await this.options.authenticate(handshake);
    } catch (thrown) {
      if (!(thrown instanceof Failure))
        this.options.logger.error('a socket could not be authenticated', { cause: String(thrown) });
      throw refusalOf(thrown);
    }
  }

  private guestOf(socket: Socket): Guest<Session> {
    const guest = this.guests.get(socket);
    if (!guest) throw new Error('this socket was never admitted');
    return guest;
  }

  /**
   * Leaves rooms that the admission neither gives nor allows; resolves to whether there were none. `inDoubt`: what becomes of
   * those that may be allowed; a client that only arrives is in none of them then.
   */
  private async leaveForeign(
    socket: Socket,
    { rooms }: Admission<Session>,
    inDoubt: 'leaves' | 'stays' | 'begins anew',
  ): Promise<boolean> {
    let none = true;
    for (const room of [...socket.rooms]) {
      if (room === socket.id || rooms.includes(room)) continue;
      const right = await this.rightTo(socket, room);
      if (right === true || (right === 'in doubt' && inDoubt === 'stays')) continue;
      void socket.leave(room);
      if (right === 'in doubt' && inDoubt === 'leaves') this.wait(socket, room);
      none = false;
    }
    return none;
  }

  private watch(socket: Socket, guest: Guest<Session>): void {
    clearTimeout(guest.timer);
    const { expiresAt } = guest.admission;
    if (!expiresAt) return;
    const left = expiresAt.getTime() - (this.options.clock ?? systemClock).now().getTime();
    if (left <= 0) {
      // To this connection directly: by way of Redis it would arrive after the end
      socket.nsp.local.to(socket.id).emit('authExpired', {});
      socket.disconnect(true);
    } else if (socket.connected) {
      guest.timer = setTimeout(() => this.watch(socket, guest), Math.min(left, LONGEST_TIMER_MS)).unref();
    }
  }
}
