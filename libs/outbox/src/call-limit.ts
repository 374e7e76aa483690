import type { Database } from '@platform/data';
import type { Logger } from '@platform/runtime';
import { LeaseLost, type LaneStore, type Lease } from './lane.store';

/** The part of its duration for which a lease is relied on: an aborted call takes a moment to end. */
export const SAFE_PART = 0.9;
const RENEWALS_PER_LEASE = 3;

export interface CallContext {
  database: Database;
  store: LaneStore;
  logger: Logger;
  leaseSeconds: number;
  callSeconds: number;
}

/**
 * The time limit of one call. `signal` aborts after `callSeconds`, or earlier when another process has the lane or its lease
 * cannot be renewed: a call that outlived its lease would be repeated by the next holder while it is still in flight.
 */
export class CallLimit {
  private readonly call = new AbortController();
  private readonly limit: NodeJS.Timeout;
  private readonly renewals: NodeJS.Timeout;
  private expiry: NodeJS.Timeout | undefined;
  private isRenewing = false;
  private isOver = false;

  constructor(
    private readonly context: CallContext,
    private readonly lease: Lease,
    leaseAgeMs: number,
  ) {
    const { callSeconds, leaseSeconds } = context;
    const limitMs = callSeconds * 1000;
    this.limit = setTimeout(() => this.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
    this.renewals = setInterval(() => void this.renew(), (leaseSeconds * 1000) / RENEWALS_PER_LEASE);
    this.expireIn(leaseSeconds * SAFE_PART * 1000 - leaseAgeMs);
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  abort(reason: Error): void {
    this.call.abort(reason);
  }

  /** The call has settled. */
  end(): void {
    this.isOver = true;
    for (const timer of [this.limit, this.expiry, this.renewals]) clearTimeout(timer);
  }

  private expireIn(milliseconds: number): void {
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => this.abort(new Error('the lease could not be renewed')), milliseconds);
  }

  private async renew(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    const { database, store, leaseSeconds, logger } = this.context;
    const begun = performance.now();
    try {
      await store.renew(database, this.lease);
      if (!this.isOver) this.expireIn(leaseSeconds * SAFE_PART * 1000 - (performance.now() - begun));
    } catch (error) {
      if (this.isOver) return;
      if (error instanceof LeaseLost) this.abort(error);
      else logger.warn('outbox could not renew a lease', { error: (error as Error).message });
    } finally {
      this.isRenewing = false;
    }
  }
}
