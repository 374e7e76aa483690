import { connect } from 'node:net';
import { anyGathered } from '@platform/data';
import { uuidv7, type Logger } from '@platform/runtime';
import { LeaseShare } from './lease-share';
import type { FreeDevice, Holder, LeasesRepository } from './leases.repository';

export interface LeaseOptions {
  readonly leases: LeasesRepository;
  /** POD_ADDRESS: where the other processes reach this one. */
  readonly address: string;
  /** LEASE_TTL. */
  readonly ttlSeconds: number;
  /** LEASE_HEARTBEAT. */
  readonly heartbeatSeconds: number;
  /** Calls when devices became free; resolves to what ends that. */
  readonly whenFreed: (called: () => void) => Promise<() => Promise<void>>;
  readonly logger: Logger;
}

export interface LeaseEvents {
  /** Whether the device can be served here. */
  serves(device: FreeDevice): boolean;
  /** The device is no longer ours: its line must be closed at once. */
  lost(instanceId: string): void;
  /** Devices that nobody serves, as many as this process should take; told with every heartbeat. */
  free(instanceIds: readonly string[]): void;
  /** The device is one too many: somebody else has room for it. It stays ours until it is given back. */
  surplus(instanceId: string): void;
}

/** Without a renewal a lease is given up after this part of its life: the rest is for closing the line. */
const SAFE_PART = 2 / 3;
const PROBE_MS = 500;
/** After so much of its interval a heartbeat that failed is repeated: waiting for the next one would cost most of the time there is. */
const REPEATED_PART = 1 / 10;

/** Whether somebody accepts connections there. */
const isServed = (address: string): Promise<boolean> => {
  const { hostname, port, protocol } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
    const end = (served: boolean) => () => {
      socket.destroy();
      resolve(served);
    };
    // No answer at all is no proof that nobody is there
    socket.setTimeout(PROBE_MS, end(true)).once('connect', end(true)).once('error', end(false));
  });
};

/** The leases of this process: taken one by one, renewed together, given up before they run out (design 3.8). */
export class LeaseKeeper {
  /** Of this process and no other. */
  readonly owner = uuidv7();
  private readonly me: Holder;
  /** Until when, on our own clock, a device is surely ours. */
  private readonly held = new Map<string, number>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly share: LeaseShare;
  /** Together for all devices that are asked for at the same time. */
  private readonly claim: (instanceId: string) => Promise<boolean>;
  private events: LeaseEvents | undefined;
  private beating: Promise<void> | undefined;
  private repeating: NodeJS.Timeout | undefined;
  private unlisten = async (): Promise<void> => undefined;

  constructor(private readonly options: LeaseOptions) {
    this.me = { owner: this.owner, address: options.address };
    this.claim = anyGathered((ids) => options.leases.take(ids, this.me, options.ttlSeconds));
    this.share = new LeaseShare(options.heartbeatSeconds * 1_000);
  }

  /** Before this process listens: a former one at this address that is gone leaves us its devices at once. */
  async start(events: LeaseEvents): Promise<void> {
    const { leases, address, ttlSeconds, heartbeatSeconds } = this.options;
    this.events = events;
    // Asking the address may take long, and mostly there is nothing to inherit
    if ((await leases.anyLeftAt(this.me)) && !(await isServed(address))) await leases.inherit(this.me);
    const beat = () => void (this.beating ??= this.beat(events, beat).finally(() => (this.beating = undefined)));
    await this.beat(events, beat);
    this.unlisten = await this.options.whenFreed(beat);
    this.timers.push(setInterval(beat, heartbeatSeconds * 1_000).unref());
    this.timers.push(setInterval(() => this.giveUp(events), ttlSeconds * 50).unref());
  }

  /** Undefined: the device is ours. Otherwise where it is served, or null when that cannot be told now. */
  async take(instanceId: string): Promise<string | null | undefined> {
    const begun = performance.now();
    if (!(await this.claim(instanceId))) return (await this.whereIs(instanceId)) ?? null;
    this.keep(instanceId, begun);
    return undefined;
  }

  /** Where the device is served, be it here; undefined when nobody serves it. */
  whereIs(instanceId: string): Promise<string | undefined> {
    return this.options.leases.addressOf(instanceId);
  }

  /** Whether the device is ours still; when another one has it, its line is closed. Rejects when nobody can tell. */
  async isOurs(instanceId: string): Promise<boolean> {
    const until = this.held.get(instanceId);
    if (await this.options.leases.isHeldBy(this.owner, instanceId)) return true;
    // One that was given back and taken again meanwhile has nothing to do with what was asked
    if (this.events && until !== undefined && this.held.get(instanceId) === until) this.lose(instanceId, this.events);
    return false;
  }

  /** Whether a process that lost the device before us may have logged in once more, see `EngineSink.forgives`. */
  forgives(instanceId: string): Promise<boolean> {
    return this.options.leases.forgive(this.owner, instanceId);
  }

  /** The device is anybody's again: this process could not put it to work. */
  async giveBack(instanceId: string): Promise<void> {
    this.held.delete(instanceId);
    await this.options.leases.release(this.me.owner, instanceId);
  }

  /** The device is another one's: who has room for it takes it now. */
  async pass(instanceId: string): Promise<void> {
    await this.giveBack(instanceId);
    await this.options.leases.tellFreed();
  }

  /** Everything is anybody's again. */
  async stop(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    await this.unlisten().catch(() => undefined);
    await this.beating;
    clearTimeout(this.repeating);
    this.held.clear();
    await this.options.leases.release(this.me.owner);
    await this.options.leases.tellFreed();
  }

  private keep(instanceId: string, begun: number): void {
    this.held.set(instanceId, begun + this.options.ttlSeconds * 1_000 * SAFE_PART);
  }

  private async beat(events: LeaseEvents, again: () => void): Promise<void> {
    const { leases, ttlSeconds, heartbeatSeconds, logger } = this.options;
    const begun = performance.now();
    const before = new Map(this.held);
    try {
      const renewed = await leases.renew(this.me.owner, [...before.keys()], ttlSeconds);
      // One that was given back and taken again meanwhile has nothing to do with what was asked
      for (const [id, until] of before) if (!renewed.has(id) && this.held.get(id) === until) this.lose(id, events);
      for (const id of renewed) if (this.held.has(id)) this.keep(id, begun);
      const all = await leases.attend(this.me, ttlSeconds);
      const anybodys = await leases.free(this.me.owner);
      const free = anybodys.filter((device) => events.serves(device)).map(({ id }) => id);
      const held = [...this.held.keys()];
      const devices = all.devices - (anybodys.length - free.length);
      const { take, giveUp } = this.share.decide({ now: begun, ...all, devices, held, free });
      events.free(take);
      if (giveUp !== undefined) events.surplus(giveUp);
    } catch (cause) {
      logger.warn('leases of devices could not be renewed', { cause });
      clearTimeout(this.repeating);
      this.repeating = setTimeout(again, heartbeatSeconds * 1_000 * REPEATED_PART).unref();
    }
  }

  private giveUp(events: LeaseEvents): void {
    const now = performance.now();
    for (const [id, until] of this.held) if (until <= now) this.lose(id, events);
  }

  private lose(instanceId: string, events: LeaseEvents): void {
    if (!this.held.delete(instanceId)) return;
    this.options.logger.warn('the lease of a device is lost', { instance: instanceId });
    events.lost(instanceId);
  }
}
