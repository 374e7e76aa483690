import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction } from '@platform/data';
import { Server } from 'socket.io';
import { Admissions } from './admission';
import type { Emitter, Realtime, RealtimeOptions, Target } from './realtime.types';
import { Recoveries } from './recovery';
import { redisStreams } from './redis-adapter';
import { serveRequests } from './requests';
import { SessionRelay } from './session-relay';
import { dropWhenStuck, PATIENCE } from './slow-clients';

/** A frame from a client is a small request, never a file. */
const MAX_FRAME_BYTES = 64 * 1024;
/** Requests between replicas. */
const RECHECK = 'recheck';
/** How long a client that polls may take to move to a WebSocket; a server that stands still must not end sessions that do. */
const UPGRADE_MS = 30_000;
/** How long a connection may be lost and still get the events it missed. */
const RECOVERY_MS = 120_000;
/** A start looks for Redis so long. */
const PATIENCE_MS = 2_000;

const createServer = ({ path = '/socket.io', cors }: RealtimeOptions<never>): Server =>
  new Server({
    path,
    serveClient: false,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    // A client takes its session for moved before the server does: when time runs out in between, the session is lost
    upgradeTimeout: UPGRADE_MS,
    cors: cors === '*' ? { origin: '*' } : { origin: [...cors], credentials: true },
    // The authentication runs again on every recovery: rights may have changed meanwhile.
    connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS, skipMiddlewares: false },
  });

class SocketServer<Events, Session> implements Realtime<Events> {
  readonly name = 'realtime';
  private readonly io: Server;
  private streams: Awaited<ReturnType<typeof redisStreams>> | undefined;
  private readonly admissions: Admissions<Session>;
  private readonly recoveries: Recoveries;
  private round: NodeJS.Timeout | undefined;
  private stopped = false;
  private draining = false;
  private relay: SessionRelay | undefined;
  private attached = false;

  constructor(private readonly options: RealtimeOptions<Session>) {
    this.io = createServer(options as RealtimeOptions<never>);
    this.admissions = new Admissions(options);
    this.recoveries = new Recoveries(this.io);
    this.recoveries.watch();
    const { admissions, recoveries } = this;
    this.io.use(
      (socket, next) => void recoveries.during(socket, () => admissions.admit(socket)).then(() => next(), next),
    );
    this.io.on('connection', (socket) => {
      serveRequests(socket, admissions, options);
      dropWhenStuck(socket, options.patience ?? PATIENCE);
      admissions.welcome(socket);
    });
  }

  attach(server: HttpServer): void {
    // Node removes its own listener at an upgrade: without one, a client's reset would end the process
    server.on('upgrade', (_, socket) => socket.on('error', () => socket.destroy()));
    // One engine for all ports: a session that began on one is known on the others
    if (this.attached) return void this.io.engine.attach(server, { path: this.io.path() });
    this.io.attach(server);
    this.attached = true;
    this.handOver();
  }

  emit<E extends keyof Events & string>(
    to: Target,
    event: E,
    payload: Events[E],
    except: readonly string[] = [],
  ): void {
    const whom = to === 'everyone' ? this.io : this.io.to(typeof to === 'string' ? to : [...to]);
    // To socket.io no room at all would mean everyone.
    if (to.length > 0) whom.except([...except]).emit(event, payload);
  }

  afterCommit(tx: Pick<Transaction, 'afterCommit'>): Emitter<Events> {
    return { emit: (to, event, payload, except) => tx.afterCommit(() => this.emit(to, event, payload, except)) };
  }

  disconnect(room: string): void {
    this.io.in(room).disconnectSockets(true);
  }

  evict(room: string, from: readonly string[], except: readonly string[] = []): void {
    this.io
      .in(room)
      .except([...except])
      .socketsLeave([...from]);
  }

  enter(room: string, into: readonly string[]): void {
    this.io.in(room).socketsJoin([...into]);
  }

  recheck(prefix: string, except: readonly string[] = []): void {
    this.recheckHere(prefix, except);
    if (this.streams) this.io.serverSideEmit(RECHECK, prefix, except);
  }

  async readmit(room: string): Promise<void> {
    const ids = this.io.of('/').adapter.rooms.get(room) ?? [];
    const sockets = [...ids].flatMap((id) => this.io.of('/').sockets.get(id) ?? []);
    await Promise.all(sockets.map((socket) => this.admissions.readmit(socket)));
  }

  async audience(to: Target): Promise<number> {
    if (to.length === 0) return 0;
    const whom = to === 'everyone' ? this.io : this.io.in(typeof to === 'string' ? to : [...to]);
    return (await whom.fetchSockets()).length;
  }

  connections(): number {
    return this.io.of('/').sockets.size;
  }

  async start(): Promise<void> {
    if (this.options.readmitSeconds) this.goRoundLater();
    const { redis, name, address, recoverableEvents, logger } = this.options;
    if (!redis) return;
    const client = redis();
    if (address !== undefined) this.relay = new SessionRelay(client, { name, address, logger });
    const connected = client.connect();
    connected.catch((cause: unknown) => this.stopped || logger.error('redis refuses the sockets', { cause }));
    this.streams = redisStreams(client, { connected, name, events: recoverableEvents, logger });
    this.io.adapter(this.streams.adapter);
    this.recoveries.watch();
    this.io.on(RECHECK, (prefix: string, except: string[]) => this.recheckHere(prefix, except));
    const joined = connected.then(() => Promise.all([this.streams?.ready(), this.relay?.start()]));
    // Sockets are not kept waiting for a Redis that is away: events and other replicas are heard once it is back
    await Promise.race([joined, pause(PATIENCE_MS, undefined, { ref: false })]);
  }

  private goRoundLater(): void {
    const { readmitSeconds = 0 } = this.options;
    if (!this.stopped) this.round = setTimeout(() => void this.goRound(), readmitSeconds * 1000).unref();
  }

  /** One after the other: their checks never take more than one connection of the database. */
  private async goRound(): Promise<void> {
    for (const socket of [...this.io.of('/').sockets.values()])
      if (socket.connected && !this.stopped) await this.admissions.readmit(socket, 'stays');
    this.goRoundLater();
  }

  private recheckHere(prefix: string, except: readonly string[]): void {
    const { adapter, sockets } = this.io.of('/');
    const named = adapter.rooms.has(prefix)
      ? [prefix]
      : [...adapter.rooms.keys()].filter((room) => room.startsWith(prefix));
    for (const id of new Set(named.flatMap((room) => [...(adapter.rooms.get(room) ?? [])]))) {
      const socket = sockets.get(id);
      if (!socket || except.some((room) => socket.rooms.has(room))) continue;
      const rooms = named.filter((room) => socket.rooms.has(room));
      void this.admissions.recheck(socket, rooms);
    }
  }

  /**
   * Closes connections, not sessions: clients reconnect to another replica by themselves and get the events they missed. An HTTP
   * server does not end while one of its connections is a WebSocket, or waits for the answer to a poll.
   */
  drain(): void {
    this.draining = true;
    this.relay?.stop();
    if (this.attached) this.io.engine.close();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.round);
    this.drain();
    await this.io.of('/').adapter.close();
    await this.streams?.close();
  }

  private handOver(): void {
    const { engine } = this.io;
    const handleRequest = engine.handleRequest.bind(engine);
    const handleUpgrade = engine.handleUpgrade.bind(engine);
    const generateId = engine.generateId.bind(engine);
    engine.generateId = (request: IncomingMessage) => this.relay?.generateId() ?? generateId(request);
    engine.handleRequest = (request, response) => {
      const here = () => handleRequest(request, response);
      if (this.draining) response.writeHead(503, { connection: 'close' }).end();
      else if (this.relay) void this.relay.request(request, response, here).catch(() => response.destroy());
      else here();
    };
    engine.handleUpgrade = (request, socket, head) => {
      const here = () => handleUpgrade(request, socket, head);
      if (this.draining) socket.destroy();
      else if (this.relay) void this.relay.upgrade(request, socket, here).catch(() => socket.destroy());
      else here();
    };
  }
}

/**
 * A socket.io server with typed events, rooms and an end to every session. Authentication runs at each connection and
 * recovery; at `expiresAt` a socket receives `authExpired` and is closed, `authRefresh { token }` postpones that.
 * Delivery is at most once; short losses (2 min) are made up for by recovery, anything else by the client asking the API.
 */
export const openRealtime = <Events, Session>(options: RealtimeOptions<Session>): Realtime<Events> =>
  new SocketServer<Events, Session>(options);
