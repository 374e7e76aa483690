import type { WebSocket } from 'ws';
import { frame, FrameReader } from './frame.reader';
import type { BinaryNode, Library } from './library';
import { NoiseResponder, type Handshaken, type Transport } from './noise.responder';
import type { ServerIdentity } from './server.identity';

export interface ConnectionEvents {
  opened(connection: Connection, handshaken: Handshaken): void;
  stanza(connection: Connection, node: BinaryNode): void;
  closed(connection: Connection): void;
}

/** One client socket: handshake, then stanzas in the order sent. A violation of the protocol closes it. */
export class Connection {
  private readonly reader = new FrameReader();
  private work: Promise<void> = Promise.resolve();
  private noise: NoiseResponder | undefined;
  private transport: Transport | undefined;
  readonly closed: Promise<void>;

  constructor(
    private readonly socket: WebSocket,
    private readonly library: Library,
    private readonly identity: ServerIdentity,
    private readonly events: ConnectionEvents,
  ) {
    socket.on('message', (data: Buffer) => this.receive(data));
    socket.on('error', () => socket.terminate());
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        events.closed(this);
        resolve();
      });
    });
  }

  send(node: BinaryNode): void {
    if (!this.transport || this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(frame(this.transport.seal(this.library.encodeBinaryNode(node))));
  }

  close(): void {
    this.socket.close();
  }

  /** Cuts the connection without a closing handshake. */
  cut(): void {
    this.socket.terminate();
  }

  private receive(data: Buffer): void {
    this.work = this.work
      .then(async () => {
        for (const each of this.reader.push(data)) await this.take(each);
      })
      .catch(() => this.cut());
  }

  private async take(payload: Buffer): Promise<void> {
    if (this.transport) {
      this.events.stanza(this, await this.library.decodeBinaryNode(this.transport.open(payload)));
    } else if (this.noise) {
      const handshaken = this.noise.finish(payload);
      this.transport = handshaken.transport;
      this.events.opened(this, handshaken);
    } else {
      this.noise = new NoiseResponder(this.library, this.identity, this.reader.intro ?? Buffer.alloc(0));
      this.socket.send(frame(this.noise.hello(payload)));
    }
  }
}
