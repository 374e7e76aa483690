import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';

/** A way to WhatsApp on which a login stands still: what a client says after WhatsApp's answer to its hello waits to be let go. */
export class HeldLogin {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly waiting: (() => void)[] = [];

  private constructor(private readonly target: URL) {
    this.server = createServer((socket) => this.take(socket));
  }

  static async start(target: string): Promise<HeldLogin> {
    const way = new HeldLogin(new URL(target));
    await once(way.server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  /** For WA_SOCKET_URL. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws/chat`;
  }

  /** Logins that are on their way. */
  get size(): number {
    return this.waiting.length;
  }

  letGo(): void {
    for (const go of this.waiting.splice(0)) go();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(socket: Socket): void {
    const onward = connect(Number(this.target.port), this.target.hostname);
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(end);
      end.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    const said = new PassThrough();
    socket.pipe(said).pipe(onward);
    onward.pipe(socket);
    // The answer to the upgrade, then the one to the hello
    let answers = 0;
    onward.on('data', () => {
      answers += 1;
      if (answers !== 2) return;
      said.unpipe(onward);
      said.once('readable', () => this.waiting.push(() => said.pipe(onward)));
    });
  }
}
