import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@platform/runtime';

const RETRY_AFTER_SECONDS = '2';

/** Opens a server; rejects with what a person can do about a port that is taken. */
export const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is taken by another process: stop it or set another port`)
          : error,
      );
    server.once('error', refused).listen(port, host, () => {
      server.off('error', refused);
      resolve();
    });
  });

/**
 * Stands at the ports of a service whose start waits: every request, `/ready` as well, is answered 503 with what is waited for; at
 * a port that strangers reach (`exposed`), without that. Opens when it is first told a reason.
 */
export class WaitingRoom {
  private reason = '';
  private readonly servers: Server[] = [];
  private opened: Promise<unknown> | undefined;

  constructor(
    private readonly ports: readonly number[],
    private readonly host: string,
    private readonly logger: Logger,
    private readonly exposed: readonly number[] = [],
  ) {}

  /** `failed` hears of a port that cannot be had. */
  tell(reason: string, failed: () => void): void {
    if (reason !== this.reason) this.logger.warn('the start waits', { reason });
    this.reason = reason;
    this.opened ??= Promise.all(this.ports.map((port) => this.open(port)));
    this.opened.catch(failed);
  }

  /** Leaves the ports; resolves to those that it had, or that it was to have. Throws when one was taken. */
  async close(): Promise<readonly number[]> {
    const refused = await this.opened?.then(
      () => undefined,
      (cause: unknown) => ({ cause }),
    );
    const had = this.servers.map((server) => (server.address() as AddressInfo | null)?.port ?? 0);
    await Promise.all(
      this.servers
        .filter(({ listening }) => listening)
        .map(
          (server) =>
            new Promise((resolve) => {
              server.close(resolve);
              server.closeAllConnections();
            }),
        ),
    );
    if (refused) throw refused.cause;
    return had.length > 0 ? had : this.ports;
  }

  private open(port: number): Promise<void> {
    const isExposed = this.exposed.includes(port);
    const server = createServer((_, response) => {
      response.writeHead(503, {
        'Content-Type': 'application/json; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
        'Retry-After': RETRY_AFTER_SECONDS,
        Connection: 'close',
      });
      response.end(
        JSON.stringify({ ready: false, failing: ['process'], ...(isExposed ? {} : { reason: this.reason }) }),
      );
    });
    this.servers.push(server);
    return listen(server, port, this.host);
  }
}
