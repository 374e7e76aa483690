import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort, overTcp } from '@platform/postgres';

export interface Gate {
  /** The target's address, through the gate. */
  readonly url: string;
  open(): Promise<void>;
  /** Cuts all connections; nobody connects until it is opened again. */
  close(): Promise<void>;
  /** Whether the target's answers are dropped from now on. */
  hang(on: boolean): void;
}

/** A proxy between a service and a server it needs, such as the real Redis, that can cut it off; open at first. */
export const startGate = async (target: string): Promise<Gate> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let hanging = false;
  const server = createServer((near) => {
    const far = connect(Number(port || 6379), hostname);
    for (const end of [near, far])
      sockets.add(
        end.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy(), sockets.delete(end))),
      );
    far.on('data', (data) => hanging || near.write(data));
    near.on('data', (data) => far.write(data));
  });
  // Where nobody takes it for an outgoing connection while the gate is closed
  const own = await freePort();
  const open = async () => void (await once(server.listen(own, '127.0.0.1'), 'listening'));
  await open();
  const url = overTcp(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    open,
    hang: (on) => void (hanging = on),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
