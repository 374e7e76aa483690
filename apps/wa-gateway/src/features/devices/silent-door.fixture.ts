import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to WhatsApp that takes every connection and says nothing, until it is opened: then all that wait go through. */
export class SilentDoor {
  /** Connections of this moment, answered or not. */
  readonly sockets = new Set<Socket>();
  private target: URL | undefined;
  private readonly server: Server;

  private constructor(private readonly entered: () => void) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      this.entered();
      if (this.target) this.through(socket, this.target);
    });
  }

  /** `entered` is called with every connection. */
  static async start(entered: () => void = () => undefined): Promise<SilentDoor> {
    const door = new SilentDoor(entered);
    await once(door.server.listen(0, '127.0.0.1'), 'listening');
    return door;
  }

  /** For WA_SOCKET_URL. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws/chat`;
  }

  open(target: string): void {
    this.target = new URL(target);
    for (const socket of this.sockets) this.through(socket, this.target);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private through(socket: Socket, { hostname, port }: URL): void {
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  }
}
