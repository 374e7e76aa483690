import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '@platform/errors';
import { Semaphore, type Component, type Logger, type Sends } from '@platform/runtime';
import { ServedElsewhere } from '../../elsewhere';
import type { EngineKind } from '../../engines/engine.types';
import type { LeaseKeeper } from '../leases/public';
import type { Device, DevicesRepository } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { DevicePlaces } from './device-places';
import type { LineOpener } from './line-opener';
import type { LineRounds } from './line-rounds';

export interface FleetOptions {
  readonly opener: LineOpener;
  readonly devices: Pick<DevicesRepository, 'find'>;
  readonly rounds: Pick<LineRounds, 'pickUpForgotten' | 'chase' | 'fetchLateFiles'>;
  /** Only the holder of a device's lease opens its line. */
  readonly leases: Pick<LeaseKeeper, 'start' | 'take' | 'whereIs' | 'giveBack' | 'pass' | 'stop'>;
  readonly limits: {
    /** CONNECT_JITTER and CONNECT_CONCURRENCY, for devices that nobody asks for: each waits for up to so long, and so many open at once. */
    readonly jitterSeconds: number;
    readonly concurrency: number;
    readonly places: DevicePlaces;
  };
  /** `keptBack`: how many accepted sends have not left, of all devices. */
  readonly sending: { readonly sends: Sends; readonly keptBack: () => Promise<number> };
  readonly logger: Logger;
}

/** The runner gives a service 10 s to stop. */
const DRAIN_MS = 5_000;
const SWEEP_MS = 30_000;
const CHASE_MS = 10_000;

/** Until the owner is gone for good and another process has taken the device over. */
export class DeviceMoving extends Unavailable {
  constructor(reason = 'starting') {
    super(reason, { code: 'UNAVAILABLE' });
  }
}

/** Until another process has room for the device. */
export class NoRoom extends DeviceMoving {
  constructor() {
    super('no process has room for the device');
  }
}

interface Slot {
  readonly opening: Promise<DeviceLine>;
  /** Once it has opened. */
  line?: DeviceLine;
}

/** The session manager: all devices that run in this process. */
export class Fleet implements Component {
  readonly name = 'devices';
  private readonly slots = new Map<string, Slot>();
  /** Lines whose lease is lost, until they are disconnected. */
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly adopting = new Set<string>();
  /** Of those that were free at the last heartbeat, as many as are our share. */
  private wanted: ReadonlySet<string> = new Set();
  private readonly turns: Semaphore;
  private readonly left = new Set<string>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly ending = new AbortController();
  private unwatch = (): void => undefined;

  constructor(private readonly options: FleetOptions) {
    this.turns = new Semaphore(options.limits.concurrency);
    // Every device that waits before it opens listens to it
    setMaxListeners(0, this.ending.signal);
  }

  /** Devices that nobody serves are put to work in the background; requests open the line of their device at once. */
  async start(): Promise<void> {
    const { sends } = this.options.sending;
    this.repeat(() => this.pickUpForgotten(), SWEEP_MS);
    // Each device has a round of its own: one that takes long holds up no other
    this.timers.push(setInterval(() => void this.fetchLateFiles(), SWEEP_MS).unref());
    this.repeat(() => this.chase(), CHASE_MS);
    this.unwatch = sends.watch(() => this.lines.forEach((line) => line.wake()));
    await this.options.leases.start({
      serves: ({ id, engine }) => this.isServable({ instanceId: id, engine }),
      lost: (instanceId) => void this.drop(instanceId),
      free: (instanceIds) => this.adoptAll(instanceIds),
      surplus: (instanceId) => void this.handOver(instanceId),
    });
  }

  /** What lines have missed. */
  pickUpForgotten(): Promise<void> {
    return this.options.rounds.pickUpForgotten(this.lines);
  }

  /** Files that were promised. */
  fetchLateFiles(): Promise<void> {
    return this.options.rounds.fetchLateFiles(this.lines);
  }

  /** Sends that nobody acknowledged. */
  chase(): Promise<void> {
    return this.options.rounds.chase(this.lines);
  }

  /** What is being sent ends; what waits is sent by the next process, which may take the devices over at once. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.unwatch();
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
    const closing = [...this.slots.values()].map(({ opening }) =>
      opening.then((line) => line.close()).catch(() => undefined),
    );
    await Promise.race([Promise.all(closing), limit]);
    await this.options.leases.stop();
  }

  /** Sends that were accepted, of all devices, also of those that other processes serve. */
  async held(): Promise<number | undefined> {
    const { sends, keptBack } = this.options.sending;
    return sends.held ? keptBack() : undefined;
  }

  supports(engine: EngineKind): boolean {
    return this.options.opener.supports(engine);
  }

  /**
   * The running device; the first call starts it. Throws `ServedElsewhere` when another process has it, which is
   * how every route that needs a device finds its way there.
   */
  line(device: Device): Promise<DeviceLine> {
    const { instanceId } = device;
    const known = this.slots.get(instanceId);
    if (known) return known.opening;
    // Who ends gives up its leases in a moment: the next process has the device
    if (this.ending.signal.aborted) return Promise.reject(new DeviceMoving());
    const { places } = this.options.limits;
    if (!places.suffice(device)) return this.elsewhere(instanceId);
    const opening = this.claimed(device).then(
      (line) => {
        slot.line = line;
        return line;
      },
      (failure: unknown) => {
        // It may have been left, and asked for again, before it failed
        if (this.slots.get(instanceId) === slot) this.slots.delete(instanceId);
        this.vacate(instanceId);
        throw failure;
      },
    );
    const slot: Slot = { opening };
    places.take(device);
    this.slots.set(instanceId, slot);
    return opening;
  }

  /** The device, if it runs in this process. */
  async here(instanceId: string): Promise<DeviceLine | undefined> {
    return this.slots.get(instanceId)?.opening.catch(() => undefined);
  }

  /** The device, if it runs in this process already; nothing is opened or waited for. */
  running(instanceId: string): DeviceLine | undefined {
    return this.slots.get(instanceId)?.line;
  }

  /** The device gets another engine with its next use, which waits until the former is off the network. */
  async retire(instanceId: string): Promise<void> {
    await this.leave(instanceId, async (line) => line?.close());
  }

  private async claimed(device: Device): Promise<DeviceLine> {
    const { instanceId } = device;
    await this.leaving.get(instanceId);
    await this.claim(instanceId);
    try {
      return await this.options.opener.open(device);
    } catch (failure) {
      // Nobody would try again while the lease is held
      await this.options.leases.giveBack(instanceId).catch(() => undefined);
      throw failure;
    }
  }

  private async claim(instanceId: string): Promise<void> {
    const address = await this.options.leases.take(instanceId);
    if (address === undefined) return;
    if (address === null) throw new DeviceMoving();
    throw new ServedElsewhere({ baseUrl: address, otherwise: new DeviceMoving() });
  }

  /** There is no room for it here. */
  private async elsewhere(instanceId: string): Promise<never> {
    const baseUrl = await this.options.leases.whereIs(instanceId);
    if (baseUrl === undefined) throw new NoRoom();
    throw new ServedElsewhere({ baseUrl, otherwise: new DeviceMoving() });
  }

  private adoptAll(instanceIds: readonly string[]): void {
    this.wanted = new Set(instanceIds);
    for (const instanceId of instanceIds) void this.adopt(instanceId);
  }

  /** Somebody else may be quicker. */
  private async adopt(instanceId: string): Promise<void> {
    if (this.slots.has(instanceId) || this.adopting.has(instanceId)) return;
    const { limits, logger } = this.options;
    this.adopting.add(instanceId);
    try {
      await pause(Math.random() * limits.jitterSeconds * 1_000, undefined, this.ending);
      await this.turns.run(() => this.serve(instanceId));
    } catch (cause) {
      if (!(cause instanceof ServedElsewhere) && !this.ending.signal.aborted)
        logger.warn('a device could not be started; the next heartbeat tries again', {
          instance: instanceId,
          cause,
        });
    } finally {
      this.adopting.delete(instanceId);
    }
  }

  private async serve(instanceId: string): Promise<void> {
    if (this.ending.signal.aborted || !this.wanted.has(instanceId)) return;
    const device = await this.options.devices.find(instanceId);
    if (device && this.isServable(device)) await this.line(device);
  }

  private isServable({ instanceId, engine }: Pick<Device, 'instanceId' | 'engine'>): boolean {
    if (this.supports(engine)) return this.options.limits.places.sufficeOrTell({ instanceId, engine });
    if (!this.left.has(instanceId))
      this.options.logger.warn('a device stays offline: its engine is not available', { instance: instanceId });
    this.left.add(instanceId);
    return false;
  }

  /** Another process has room for it: what is being sent ends, and only then may that process open it. */
  private handOver(instanceId: string): Promise<void> {
    const { leases, logger } = this.options;
    const failed = (cause: unknown): void =>
      logger.warn('a device that was given up is not free yet', { instance: instanceId, cause });
    logger.info('a device is given up: another process has room for it', { instance: instanceId });
    return this.leave(instanceId, async (line) => {
      try {
        await line?.close();
      } finally {
        // A lease that is kept without a line would be nobody's work
        await leases.pass(instanceId).catch(failed);
      }
    });
  }

  /** Before the lease ends somebody else must find the account free. */
  private drop(instanceId: string): Promise<void> {
    return this.leave(instanceId, async (line) => line?.drop());
  }

  /** Until that is over nobody here takes the device again. */
  private async leave(instanceId: string, how: (line: DeviceLine | undefined) => Promise<void>): Promise<void> {
    const under = this.leaving.get(instanceId);
    if (under) return under;
    const slot = this.slots.get(instanceId);
    this.slots.delete(instanceId);
    const failed = (cause: unknown): void =>
      this.options.logger.warn('a line did not close cleanly', { instance: instanceId, cause });
    const opened = slot?.opening.catch(() => undefined) ?? Promise.resolve(undefined);
    const leaving = opened
      .then(how)
      .catch(failed)
      .finally(() => this.vacate(instanceId));
    this.leaving.set(instanceId, leaving);
    await leaving.finally(() => this.leaving.delete(instanceId));
  }

  /** The place is free, unless the device was asked for again meanwhile. */
  private vacate(instanceId: string): void {
    if (!this.slots.has(instanceId)) this.options.limits.places.leave(instanceId);
  }

  /** Not before the last time has ended. */
  private repeat(work: () => Promise<void>, everyMs: number): void {
    let isAtWork = false;
    const run = async (): Promise<void> => {
      if (isAtWork) return;
      isAtWork = true;
      await work().finally(() => (isAtWork = false));
    };
    this.timers.push(setInterval(() => void run(), everyMs).unref());
  }

  /** Those that have opened: a new one has looked for itself (`recover`). */
  private get lines(): DeviceLine[] {
    return [...this.slots.values()].flatMap(({ line }) => line ?? []);
  }
}
