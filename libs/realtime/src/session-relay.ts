import { randomBytes } from 'node:crypto';
import { request as openRequest, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { LruCache, type Logger } from '@platform/runtime';

/** What the relay asks of Redis: where the replicas are. */
export interface ReplicaDirectory {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
}

export interface RelayOptions {
  /** Tells the services on one Redis apart. */
  readonly name: string;
  /** Where the other replicas reach this one: `http://host:port`. */
  readonly address: string;
  readonly logger: Logger;
}

/** Serves the request here, where an unknown session is refused and its client begins anew. */
type Here = () => void;

/** Marks what was handed over: it is not handed over again. */
const RELAYED = 'x-socket-relayed';
const ANNOUNCE_MS = 20_000;
const KNOWN_SECONDS = 90;
/** Of a replica that says nothing: longer than a poll without events lasts, which is the ping interval of 25 s. */
const SILENCE_MS = 40_000;
const MOST_REPLICAS = 1_000;

/** How a session id begins: with the replica that has the session. */
const replicaOf = (request: IncomingMessage): string | undefined => {
  if (request.headers[RELAYED] !== undefined) return undefined;
  const sid = new URL(request.url ?? '/', 'http://here').searchParams.get('sid');
  return sid === null ? undefined : /^([\w-]{12})\./.exec(sid)?.[1];
};

const headLines = ({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string => {
  const pairs = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? `${name}: ${rawHeaders[n + 1]}` : []));
  return [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...pairs, '', ''].join('\r\n');
};

/**
 * A session of socket.io lives in one replica, and a client that begins with long polling sends each request on its own: a
 * balancer that knows nothing of sessions brings them to any replica. The session's id names the replica that has it, Redis
 * knows where that one is, and whoever gets a request of another's session hands it over. So no balancer needs affinity.
 */
export class SessionRelay {
  private readonly id = randomBytes(9).toString('base64url');
  private readonly known = new LruCache<string, string>({ limit: MOST_REPLICAS });
  private readonly relayed = new Set<Duplex>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly directory: ReplicaDirectory,
    private readonly options: RelayOptions,
  ) {}

  /** Other replicas find this one from now on. */
  async start(): Promise<void> {
    await this.announce();
    this.timer = setInterval(() => void this.announce(), ANNOUNCE_MS);
  }

  /** Ends what was handed over; a WebSocket would keep the HTTP server open. */
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
    response.on('close', () => outgoing.destroy());
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

  private open(address: string, { method, url, headers }: IncomingMessage): ClientRequest {
    const outgoing = openRequest(new URL(url ?? '/', address), {
      method,
      headers: { ...headers, [RELAYED]: this.id },
      agent: false,
    });
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
    const address = await this.directory.get(this.keyOf(replica)).catch(() => null);
    if (address !== null) this.known.set(replica, address);
    return address ?? undefined;
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
