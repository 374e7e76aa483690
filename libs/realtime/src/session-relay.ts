import { randomBytes } from 'node:crypto';
import {
  request as openRequest,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { LruCache, type Logger } from '@platform/runtime';

/** The part of Redis that the relay needs: the addresses of the replicas. */
export interface ReplicaDirectory {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
}

export interface RelayOptions {
  /** Separates the services on one Redis. */
  readonly name: string;
  /** Where the other replicas reach this one: `http://host:port`. */
  readonly address: string;
  readonly logger: Logger;
  /** Time limit for Redis and for reaching another replica, each; 3 s by default. */
  readonly patienceMs?: number;
}

/** Serves the request here, where an unknown session is refused and its client starts over. */
type Here = () => void;

/** Marks a request that was handed over, so that it is not handed over again. */
const RELAYED = 'x-socket-relayed';
/** Hop-by-hop headers. Node throws at those it cannot forward, which would end the process. */
const NOT_HANDED_OVER = ['trailer', 'expect', 'te', 'keep-alive'];
const PATIENCE_MS = 3_000;
const ANNOUNCE_MS = 20_000;
const KNOWN_SECONDS = 90;
/** Limit for a silent replica: longer than a poll without events, which lasts the ping interval of 25 s. */
const SILENCE_MS = 40_000;
const MOST_REPLICAS = 1_000;

/** The prefix of a session id: the replica that has the session. */
const replicaOf = (request: IncomingMessage): string | undefined => {
  if (request.headers[RELAYED] !== undefined) return undefined;
  const sid = new URL(request.url ?? '/', 'http://here').searchParams.get('sid');
  return sid === null ? undefined : /^([\w-]{12})\./.exec(sid)?.[1];
};

const headersOf = ({ headers }: IncomingMessage, relayedBy: string): OutgoingHttpHeaders => {
  const kept = Object.entries(headers).filter(([name]) => !NOT_HANDED_OVER.includes(name));
  return { ...Object.fromEntries(kept), [RELAYED]: relayedBy };
};

const headLines = ({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string => {
  const pairs = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? `${name}: ${rawHeaders[n + 1]}` : []));
  return [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...pairs, '', ''].join('\r\n');
};

/**
 * Calls `tooLate` when the time is over and nobody has called the function that is returned. What has arrived by then still counts:
 * a process that stood still itself sees the end of the time before it sees the answers.
 */
const withPatience = (ms: number, tooLate: () => void): (() => void) => {
  let over = false;
  const timer = setTimeout(() => setImmediate(() => over || tooLate()), ms);
  return () => {
    over = true;
    clearTimeout(timer);
  };
};

/**
 * A session of socket.io lives in one replica, and a client that starts with long polling sends each request separately: a
 * load balancer without affinity sends them to any replica. The session's id names the replica that has it, Redis
 * knows where that one is, and whoever gets a request of another's session hands it over. So no balancer needs affinity.
 */
export class SessionRelay {
  private readonly id = randomBytes(9).toString('base64url');
  private readonly known = new LruCache<string, string>({ limit: MOST_REPLICAS });
  private readonly relayed = new Set<Duplex | ServerResponse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly directory: ReplicaDirectory,
    private readonly options: RelayOptions,
  ) {}

  /** Other replicas find this one from now on. */
  async start(): Promise<void> {
    this.timer = setInterval(() => void this.announce(), ANNOUNCE_MS);
    await this.announce();
  }

  /** Ends what was handed over; a WebSocket, or a poll that nobody answers yet, would keep the HTTP server open. */
  stop(): void {
    clearInterval(this.timer);
    for (const stream of this.relayed) stream.destroy();
  }

  /** For engine.io: 120 random bits behind the name of this replica. */
  generateId(): string {
    return `${this.id}.${randomBytes(15).toString('base64url')}`;
  }

  /** Hands the request to the replica that has its session, or serves it `here`. */
  async request(incoming: IncomingMessage, response: ServerResponse, here: Here): Promise<void> {
    const address = await this.ownerOf(incoming);
    if (address === undefined) return here();
    const outgoing = this.open(address, incoming);
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    outgoing.on('error', () => (response.headersSent ? response.destroy() : this.gone(incoming, here)));
    this.relayed.add(response);
    response.on('close', () => {
      this.relayed.delete(response);
      outgoing.destroy();
    });
    pipeline(incoming, outgoing, () => undefined);
  }

  /** The same for the upgrade of a session to WebSocket. */
  async upgrade(incoming: IncomingMessage, socket: Duplex, here: Here): Promise<void> {
    const address = await this.ownerOf(incoming);
    if (address === undefined) return here();
    const outgoing = this.open(address, incoming);
    outgoing.on('upgrade', (answer, upstream, head) => this.join(socket, upstream, headLines(answer), head));
    outgoing.on('response', (answer) => {
      socket.write(headLines(answer));
      pipeline(answer, socket, () => undefined);
    });
    outgoing.on('error', () => this.gone(incoming, here));
    socket.on('error', () => outgoing.destroy());
    outgoing.end();
  }

  private join(socket: Duplex, upstream: Duplex, answer: string, head: Buffer): void {
    this.relayed.add(socket);
    socket.write(answer);
    if (head.length > 0) socket.write(head);
    const end = () => {
      this.relayed.delete(socket);
      socket.destroy();
      upstream.destroy();
    };
    pipeline(socket, upstream, end);
    pipeline(upstream, socket, end);
  }

  /** The target goes as it came: read as an address it could name another path of the internal port, or another host. */
  private open(address: string, incoming: IncomingMessage): ClientRequest {
    const { method, url: path } = incoming;
    const headers = headersOf(incoming, this.id);
    const outgoing = openRequest(new URL(address), { method, path, headers, agent: false });
    const unreached = new Error('the replica cannot be reached');
    const reached = withPatience(this.patienceMs, () => outgoing.destroy(unreached));
    outgoing.on('socket', (socket) => socket.once('connect', reached));
    outgoing.on('close', reached);
    return outgoing.setTimeout(SILENCE_MS, () => outgoing.destroy(new Error('the replica does not answer')));
  }

  /** The replica cannot be reached: its sessions are over, which the client hears here. */
  private gone(incoming: IncomingMessage, here: Here): void {
    this.known.delete(replicaOf(incoming) ?? '');
    here();
  }

  private async ownerOf(request: IncomingMessage): Promise<string | undefined> {
    const replica = replicaOf(request);
    if (replica === undefined || replica === this.id) return undefined;
    const known = this.known.get(replica);
    if (known !== undefined) return known;
    const address = await this.look(replica);
    if (address !== null) this.known.set(replica, address);
    return address ?? undefined;
  }

  /** A Redis that says nothing knows nothing. */
  private look(replica: string): Promise<string | null> {
    const found = this.directory.get(this.keyOf(replica)).catch(() => null);
    return new Promise((resolve) => {
      const answered = withPatience(this.patienceMs, () => resolve(null));
      void found.finally(answered).then(resolve);
    });
  }

  private get patienceMs(): number {
    return this.options.patienceMs ?? PATIENCE_MS;
  }

  private async announce(): Promise<void> {
    const { address, logger } = this.options;
    await this.directory
      .set(this.keyOf(this.id), address, { EX: KNOWN_SECONDS })
      .catch((cause: unknown) => logger.warn('the other replicas may not find this one', { cause: String(cause) }));
  }

  private keyOf(replica: string): string {
    return `${this.options.name}:socket.io:replica:${replica}`;
  }
}
