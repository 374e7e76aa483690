import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';

/** A way to WhatsApp that takes every connection and says nothing, until it is opened: then all that wait go through. */
export class SilentDoor {
  /** Connections of this moment, answered or not, with what they said and nobody has heard. */
  private readonly said = new Map<Socket, PassThrough>();
  private target: URL | undefined;
  private readonly server: Server;

  private constructor(private readonly entered: () => void) {
    this.server = createServer((socket) => this.take(socket));
  }

  /** `entered` is called after every connection, when those that ended before it are gone. */
  static async start(entered: () => void = () => undefined): Promise<SilentDoor> {
    const door = new SilentDoor(entered);
    await once(door.server.listen(0, '127.0.0.1'), 'listening');
    return door;
  }

  /** For WA_SOCKET_URL. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws/chat`;
  }

  /** How many stand in the door, answered or not. */
  get size(): number {
    return this.said.size;
  }

  open(target: string): void {
    this.target = new URL(target);
    for (const socket of this.said.keys()) this.through(socket, this.target);
  }

  /** Ends the connections of this moment. */
  hangUp(): void {
    for (const socket of this.said.keys()) socket.destroy();
  }

  async stop(): Promise<void> {
    this.hangUp();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(socket: Socket): void {
    const gone = (): void => void this.said.delete(socket);
    socket.on('error', () => undefined);
    socket.on('end', gone).on('close', gone);
    // Read at once: of one whose words lie unread nobody would notice that it has left
    this.said.set(socket, socket.pipe(new PassThrough()));
    setImmediate(this.entered);
    if (this.target) this.through(socket, this.target);
  }

  private through(socket: Socket, { hostname, port }: URL): void {
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    this.said.get(socket)?.pipe(onward).pipe(socket);
  }
}
