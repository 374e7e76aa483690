import type { Logger } from '@platform/runtime';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import { translated } from './postgres.errors';
import { endWithSilence } from './postgres.pool';

type Handler = (payload: string) => void;

const LONGEST_PAUSE_MS = 5_000;

/** LISTEN on a dedicated connection, opened at the first channel, renewed when it breaks. */
export class Listener {
  private readonly handlers = new Map<string, Set<Handler>>();
  private connection: Promise<Client> | undefined;

  constructor(
    private readonly config: ClientConfig,
    private readonly logger: Logger,
  ) {}

  async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const known = this.handlers.get(channel);
    const handlers = known ?? new Set<Handler>();
    handlers.add(handler);
    this.handlers.set(channel, handlers);
    const end = () => this.unlisten(channel, handler);
    try {
      const client = await (this.connection ??= this.connect());
      await client.query(`LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      await end();
      throw translated(error);
    }
    return end;
  }

  async stop(): Promise<void> {
    this.handlers.clear(); // nothing is left to reconnect for
    const client = await this.connection?.catch(() => undefined);
    await client?.end();
  }

  private async unlisten(channel: string, handler: Handler): Promise<void> {
    const handlers = this.handlers.get(channel);
    if (!handlers?.delete(handler) || handlers.size > 0) return;
    this.handlers.delete(channel);
    // A broken connection listens to nothing anyway.
    await this.connection
      ?.then((client) => client.query(`UNLISTEN ${escapeIdentifier(channel)}`))
      .catch(() => undefined);
  }

  private async connect(): Promise<Client> {
    const client = new Client(this.config);
    endWithSilence(client);
    client.on('error', (error) =>
      this.logger.warn('the listening database connection was lost', { error: error.message }),
    );
    client.on('notification', ({ channel, payload = '' }) => {
      for (const handler of this.handlers.get(channel) ?? []) handler(payload);
    });
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      this.connection = undefined;
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => {
      this.connection = undefined;
      void this.reconnect();
    });
    return client;
  }

  private async reconnect(): Promise<void> {
    for (let pause = 100; this.handlers.size > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await (this.connection ??= this.connect());
        return;
      } catch (error) {
        this.logger.warn('the listening database connection cannot be renewed yet', {
          error: (error as Error).message,
        });
        await delay(pause * (0.5 + Math.random() / 2), undefined, { ref: false });
      }
    }
  }
}
