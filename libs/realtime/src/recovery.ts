import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server, Socket } from 'socket.io';

interface Whom {
  readonly rooms: ReadonlySet<string>;
  readonly except?: ReadonlySet<string>;
}
type Step = (socket: Socket) => void;

interface Session {
  readonly missedPackets: readonly unknown[][];
  readonly data: unknown;
}

/** What socket.io keeps from its callers and this file needs. */
interface AdapterInternals {
  restoreSession(pid: string, offset: string): Promise<Session | null> | null;
  /** Takes a step for every connected socket that is meant: every broadcast, on every adapter, ends in it. */
  apply(whom: Whom, step: Step): void;
}
interface SocketInternals {
  recovered: boolean;
  pid: string;
  packet(packet: { type: number; data: readonly unknown[] }): void;
}

/** Takes the place of a restored session's `data` until its socket is admitted. */
class Held {
  constructor(
    readonly packets: readonly unknown[][],
    readonly data: unknown,
  ) {}
}

const EVENT = 2;
/** Limit for Redis to tell of a session: who waits for one that is away is not let in at all. */
const PATIENCE_MS = 3_000;

const isMeant = ({ rooms, except }: Whom, own: ReadonlySet<string>): boolean =>
  (rooms.size === 0 || [...rooms].some((room) => own.has(room))) && ![...(except ?? [])].some((room) => own.has(room));

/**
 * Clients that return after a short loss of connection. socket.io writes to them what they missed before anybody has asked
 * whether they may still hear it, and what is told while that is being asked is lost. Here both wait for the answer: a client
 * gets all of it, in order, or begins anew, as after a longer loss, and asks.
 */
export class Recoveries {
  private readonly returning = new Map<Socket, Step[]>();

  constructor(private readonly io: Server) {}

  /** To be called for every adapter that the server is given. */
  watch(): void {
    const adapter = this.io.of('/').adapter as unknown as AdapterInternals;
    const restore = adapter.restoreSession.bind(adapter);
    const apply = adapter.apply.bind(adapter);
    adapter.restoreSession = async (pid, offset) => {
      const unknown = pause(PATIENCE_MS, null, { ref: false });
      const session = await Promise.race([Promise.resolve(restore(pid, offset)).catch(() => null), unknown]);
      return session && { ...session, missedPackets: [], data: new Held(session.missedPackets, session.data) };
    };
    adapter.apply = (whom, step) => {
      apply(whom, step);
      for (const [socket, steps] of this.returning) if (isMeant(whom, socket.rooms)) steps.push(step);
    };
  }

  /**
   * Runs `admit`, which resolves to whether a returning client may hear everything that it heard before; rejects as `admit`
   * does, and then the client gets nothing.
   */
  async during(socket: Socket, admit: () => Promise<boolean>): Promise<void> {
    const held: unknown = socket.data;
    if (!(held instanceof Held)) return void (await admit());
    const steps: Step[] = [];
    socket.data = held.data;
    this.returning.set(socket, steps);
    try {
      if (await admit()) goOn(socket, held.packets, steps);
      else beginAnew(socket);
    } finally {
      this.returning.delete(socket);
    }
  }
}

const goOn = (socket: Socket, packets: readonly unknown[][], steps: readonly Step[]): void => {
  for (const data of packets) (socket as unknown as SocketInternals).packet({ type: EVENT, data });
  for (const step of steps) step(socket);
};

/** With another session id: that is how the client knows that it was not recovered. */
const beginAnew = (socket: Socket): void => {
  for (const room of [...socket.rooms]) if (room !== socket.id) void socket.leave(room);
  Object.assign(socket as unknown as SocketInternals, { recovered: false, pid: randomUUID() });
};
