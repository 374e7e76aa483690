import { setTimeout as delay } from 'node:timers/promises';
import { Flight, type FlightContext } from './flight';

/** After this long without a successful look at the lanes the outbox counts as not working. */
const STALE_MS = 10_000;
/** Rows that are written one after the other share a claim: this long passes between two at least. */
const CLAIM_PAUSE_MS = 4;
/** An aborted call has this long to settle. */
const ABORTED_CALL_MS = 1_000;

/** Keeps up to `lanes` lanes in flight. One claim at a time: slots that free up meanwhile share the next one. */
export class Dispatcher {
  private readonly flights = new Map<Flight, Promise<void>>();
  private claiming: Promise<void> | undefined;
  private busy = false;
  private again = false;
  private more = false;
  private stopping = false;
  private lookedAt: Date;

  constructor(
    private readonly context: FlightContext,
    private readonly lanes: number,
  ) {
    this.lookedAt = context.clock.now();
  }

  /** There may be something to send. */
  wake(): void {
    this.again = true;
    if (this.stopping || this.busy) return;
    this.busy = true;
    this.claiming = this.claimAll();
  }

  check(): void {
    const silent = this.context.clock.now().getTime() - this.lookedAt.getTime();
    if (silent > STALE_MS)
      throw new Error(
        `The outbox has not reached its lanes for ${Math.round(silent / 1000)} s: see the log for the reason.`,
      );
  }

  /** Waits this long for calls in flight, then aborts the rest and releases their lanes. */
  async stop(seconds: number): Promise<void> {
    this.stopping = true;
    for (const flight of this.flights.keys()) flight.finishUp();
    await this.claiming;
    await this.landed(seconds * 1000);
    for (const flight of this.flights.keys()) flight.abort();
    await this.landed(ABORTED_CALL_MS);
  }

  private async claimAll(): Promise<void> {
    try {
      while (this.again && !this.stopping) {
        this.again = false;
        await this.claimFree();
        if (this.again) await delay(CLAIM_PAUSE_MS);
      }
      this.lookedAt = this.context.clock.now();
    } catch (error) {
      this.context.logger.warn('outbox could not claim; it tries again with the next sweep', {
        error: (error as Error).message,
      });
    } finally {
      this.busy = false;
    }
  }

  private async claimFree(): Promise<void> {
    const free = this.lanes - this.flights.size;
    this.more = free <= 0;
    if (this.more || this.context.gate.isShut) return;
    const { database, store, clock } = this.context;
    const claimedAt = clock.now();
    const leases = await store.claim(database, free);
    for (const lease of leases) {
      if (!lease) continue;
      if (this.stopping) await store.handBack(database, lease);
      else this.launch(new Flight(this.context), (flight) => flight.run(lease, claimedAt));
    }
    if (leases.length === free) this.again = true;
  }

  private launch(flight: Flight, run: (flight: Flight) => Promise<void>): void {
    const landing = run(flight).then(() => {
      this.flights.delete(flight);
      if (this.more) this.wake();
    });
    this.flights.set(flight, landing);
  }

  private async landed(limitMs: number): Promise<void> {
    if (this.flights.size === 0) return;
    const limit = new AbortController();
    await Promise.race([
      Promise.all(this.flights.values()),
      delay(limitMs, undefined, { signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
  }
}
