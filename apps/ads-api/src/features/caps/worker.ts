import { setTimeout as pause } from 'node:timers/promises';
import type { GraphAccount } from '../../clients/graph.types';
import { LeaseLost, type Lease } from './lease';
import { batchRows } from './batch.rows';
import { refusalOf } from './operation.refusal';
import { operationRows, type AccountKey } from './operation.rows';
import type { Overwritten } from './overwritten';
import type { Planner } from './planner';
import type { Reconcilers } from './reconcilers';
import type { Resolver } from './resolver';
import type { Sender } from './sender';
import type { Settlement } from './settlement';
import type { Held, Holding, WorkerParts } from './worker.types';
import type { Database } from '@platform/data';

/** Then others of the application have their turn. */
const MOST_ROUNDS = 20;
const DAY_MS = 24 * 3_600_000;
/** Readers of upstream may be behind one another for some seconds. */
const BEHIND_MS = 60_000;
const MOST_LOOKS = 3;
/** Of the soft limit of writes: from here on operations are gathered. */
const NEAR = 0.8;

interface Crew {
  readonly database: Database;
  readonly sender: Sender;
  readonly settlement: Settlement;
  readonly resolver: Resolver;
  readonly planner: Planner;
  readonly reconcilers: Reconcilers;
  readonly overwritten: Overwritten;
}

/** What the holder of an account does with it until nothing is left to do. */
export class Worker {
  constructor(
    private readonly parts: WorkerParts,
    private readonly crew: Crew,
  ) {}

  /** True: there may be more. Rejects when something is left that cannot be done now. */
  async work(key: AccountKey, lease: Lease, signal: AbortSignal): Promise<boolean> {
    const { resolver, settlement, reconcilers } = this.crew;
    await settlement.cancelAbandoned({ key, lease });
    try {
      const { token } = await this.parts.accounts.known(key.applicationId, key.accountId);
      const held = { key, lease, token, signal };
      await resolver.resolveAll(held);
      for (let rounds = 0; rounds < MOST_ROUNDS && !signal.aborted; rounds++)
        if (!(await this.round(held))) return false;
      return !signal.aborted;
    } catch (thrown) {
      reconcilers.failed(key, thrown);
      await this.refuse({ key, lease }, thrown, signal);
      throw thrown;
    }
  }

  /** One read, one intent at most, one write. False: nothing waits. */
  private async round(held: Held): Promise<boolean> {
    const { database, planner, resolver, reconcilers, overwritten } = this.crew;
    const asked = reconcilers.take(held.key);
    const { queued } = await operationRows.anyOpen(database, held.key);
    if (!queued && asked.length === 0) return false;
    try {
      await this.gather(held);
      const { observed, batch } = await planner.plan(held, await this.current(held));
      if (batch) await resolver.send(held, batch);
      for (const { resolve } of asked) resolve(observed);
      if (asked.length > 0) await overwritten.check(held);
    } catch (thrown) {
      for (const { reject } of asked) reject(thrown);
      throw thrown;
    }
    return true;
  }

  /**
   * What a write of ours has just ended, as it was read back, does not come again by itself: it is read anew before it is believed, for
   * whatever is planned upon it goes over that write.
   */
  private async current(held: Held): Promise<GraphAccount> {
    const { rules, clock } = this.parts;
    const { database, sender } = this.crew;
    const since = new Date(clock.now().getTime() - BEHIND_MS);
    for (let looks = 1; ; looks++) {
      const live = await sender.read(held);
      const goesBack = await batchRows.wentBack(database, held.key, { observed: live.spendCap, since });
      if (!goesBack || looks === MOST_LOOKS) return live;
      await held.lease.renew();
      await pause(rules.settleMs, undefined, { signal: held.signal });
    }
  }

  /** Nothing was sent for those that wait, so they need not wait for an upstream that does not answer. */
  private async refuse(held: Holding, thrown: unknown, signal: AbortSignal): Promise<void> {
    if (thrown instanceof LeaseLost || signal.aborted) return;
    const refusal = refusalOf(thrown);
    if (refusal) await this.crew.settlement.refuseQueued(held, refusal);
  }

  /** Near the limit of writes operations come together for a moment; it never refuses, as the true limit is not known (design 3.7). */
  private async gather({ key, signal, lease }: Held): Promise<void> {
    const { rules, clock } = this.parts;
    if (rules.batchHoldMs === 0) return;
    const since = new Date(clock.now().getTime() - DAY_MS);
    const writes = await batchRows.writesSince(this.crew.database, key, since);
    if (writes < rules.writesSoftLimit * NEAR) return;
    await lease.renew();
    await pause(rules.batchHoldMs, undefined, { signal });
  }
}
