import { NotFound, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { LruCache, type Clock } from '@platform/runtime';
import type { GatewayDevice, WaGateway } from '../../clients/wa.gateway';

const FRESH_MS = 10_000;
const REMEMBERED = 10_000;
/** So that the devices of one store leave the gateway to others. */
const AT_ONCE = 8;

/** Null: the gateway has no session of it. */
export type DeviceNow = GatewayDevice | null;

/**
 * How devices are, each by one call of the gateway for whoever asks within ten seconds. One by one: an answer about all of the platform has
 * no end, and what is wrong with one device says nothing of the others.
 */
export class DeviceStates {
  private readonly asked = new LruCache<string, { readonly at: number; readonly now: Promise<DeviceNow | undefined> }>({
    limit: REMEMBERED,
  });

  constructor(
    private readonly gateway: Pick<WaGateway, 'device'> | undefined,
    private readonly clock: Clock,
  ) {}

  /** By instance; none of those of which the gateway does not tell. */
  async of(instances: readonly string[]): Promise<ReadonlyMap<string, DeviceNow>> {
    const told = new Map<string, DeviceNow>();
    for (let from = 0; from < instances.length; from += AT_ONCE)
      await Promise.all(
        instances.slice(from, from + AT_ONCE).map(async (instance) => {
          const now = await this.one(instance);
          if (now !== undefined) told.set(instance, now);
        }),
      );
    return told;
  }

  /** Something has changed: whoever asks next hears of it. */
  forget(instance: string): void {
    this.asked.delete(instance);
  }

  /** Who has asked the gateway themselves: all others hear of it as soon. */
  heard(instance: string, now: DeviceNow): void {
    this.asked.set(instance, { at: this.clock.now().getTime(), now: Promise.resolve(now) });
  }

  /** What failed stays unknown as long: nobody waits for a hanging gateway again and again. */
  private one(instance: string): Promise<DeviceNow | undefined> {
    const at = this.clock.now().getTime();
    const known = this.asked.get(instance);
    if (known && at - known.at < FRESH_MS) return known.now;
    const now = this.ask(instance);
    this.asked.set(instance, { at, now });
    return now;
  }

  private async ask(instance: string): Promise<DeviceNow | undefined> {
    try {
      return await this.gateway?.device(instance);
    } catch (failure) {
      if (failure instanceof NotFound) return null;
      if (failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut) return undefined;
      this.forget(instance);
      throw failure;
    }
  }
}
