import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface RedisGate {
  readonly url: string;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a service and the real Redis, and can be shut. */
export const redisGate = async (target: string): Promise<RedisGate> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port || 6379), hostname);
    client.pipe(upstream).pipe(client);
    for (const end of [client, upstream]) {
      sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => [client, upstream].forEach((each) => (each.destroy(), sockets.delete(each))));
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    open: () => listen(own),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
