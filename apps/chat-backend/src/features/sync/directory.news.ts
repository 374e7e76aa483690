import type { Cache } from '@platform/data';
import type { Component, Logger } from '@platform/runtime';
import type { DeviceDirectory } from '../tenancy/public';

const CHANNEL = 'chat-backend:directory';

/** Invalidates the device directories of all replicas after a push; a lost message costs the 60 s of their cache. */
export class DirectoryNews implements Component {
  readonly name = 'directory news';
  private leave: (() => Promise<void>) | undefined;

  constructor(
    private readonly cache: Cache,
    private readonly devices: Pick<DeviceDirectory, 'forget'>,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.leave = await this.cache.subscribe(CHANNEL, (storeId) => this.devices.forget(storeId));
  }

  async stop(): Promise<void> {
    await this.leave?.();
  }

  changed(storeId: string): void {
    this.devices.forget(storeId);
    this.cache
      .publish(CHANNEL, storeId)
      .catch((cause: unknown) =>
        this.logger.warn('other replicas were not notified of a push', { cause: String(cause) }),
      );
  }
}
