import type { MicroBatch } from '@platform/data';
import { resume, type Clock } from '@platform/runtime';
import { CallLimit, SAFE_PART, type CallContext } from './call-limit';
import type { Gate } from './gate';
import { LeaseLost, type Ending, type Lease } from './lane.store';
import type { Deliver } from './outbox.types';
import { conclude, type Finish, type Verdict } from './verdict';

/** A lane that never empties lets others pass after this many rows. */
export const ROWS_PER_TURN = 100;

export interface FlightContext extends CallContext {
  /** Ends of rows that need no other write; concurrent ones are written together. */
  endings: MicroBatch<Ending, Lease | null | undefined>;
  deliver: Deliver;
  gate: Gate;
  /** Wakes sleeping lanes whose heads may be sent. */
  arm: () => Promise<void>;
  clock: Clock;
  giveUpSeconds: number;
}

/** One leased lane: sends its head, then the next, until it is empty, has failed or must be released. */
export class Flight {
  private stopping = false;
  private call: CallLimit | undefined;

  constructor(private readonly context: FlightContext) {}

  /** Resolves when this process no longer holds the lane; never rejects. */
  async run(lease: Lease, claimedAt: Date): Promise<void> {
    const { clock, logger } = this.context;
    let current: Lease | null = lease;
    let leasedAt = claimedAt;
    try {
      for (let sent = 1; current; sent++) {
        if (!this.context.gate.passes(current.row)) return await this.park(current);
        const verdict = await this.send(current, leasedAt);
        leasedAt = clock.now(); // before the statement that renews the lease: never later than the database's own idea of it
        current =
          verdict === 'interrupted'
            ? await this.handBack(current)
            : await this.settle(current, verdict, sent >= ROWS_PER_TURN);
      }
    } catch (error) {
      const lost = error instanceof LeaseLost;
      logger.warn(lost ? 'outbox lease lost' : 'outbox could not record a delivery; the row is sent again', {
        lane: lease.row.lane,
        error: (error as Error).message,
      });
    }
  }

  /** Takes no further row; the call in flight may end. */
  finishUp(): void {
    this.stopping = true;
  }

  abort(): void {
    this.stopping = true;
    this.call?.abort(new Error('the process stops'));
  }

  private async send(lease: Lease, leasedAt: Date): Promise<Verdict | 'interrupted'> {
    const { row } = lease;
    const { clock, deliver, leaseSeconds, giveUpSeconds } = this.context;
    const leaseAgeMs = clock.now().getTime() - leasedAt.getTime();
    // A process that was paused must not send a row that may already have been sent, and overtaken, by another.
    if (leaseAgeMs >= leaseSeconds * SAFE_PART * 1000) throw new LeaseLost(row.lane);
    const call = (this.call = new CallLimit(this.context, lease, leaseAgeMs));
    try {
      const verdict = await resume(row.payload, row.eventId, () => deliver(row, call.signal));
      return this.stopping && call.signal.aborted && verdict.verdict === 'retry' ? 'interrupted' : verdict;
    } catch (error) {
      if (this.stopping && call.signal.aborted) return 'interrupted';
      this.context.logger.error('outbox delivery threw', {
        lane: row.lane,
        kind: row.kind,
        eventId: row.eventId,
        error: (error as Error).message,
      });
      return { verdict: 'retry', reason: (error as Error).message, spend: true, maxAgeSeconds: giveUpSeconds };
    } finally {
      call.end();
      this.call = undefined;
    }
  }

  private async settle(lease: Lease, verdict: Verdict, last: boolean): Promise<Lease | null> {
    const { database, store } = this.context;
    const conclusion = conclude(verdict, lease.row);
    if (conclusion.action === 'postpone') {
      await store.postpone(database, lease, conclusion);
      return null;
    }
    return this.finish(lease, conclusion, last || this.stopping);
  }

  /** With a settle hook in one transaction: the caller's rows first, the lane last, the order of locks of every writer. */
  private async finish(lease: Lease, conclusion: Finish, last: boolean): Promise<Lease | null> {
    const { database, store, endings, logger, giveUpSeconds } = this.context;
    const { settle } = conclusion;
    if (!settle) {
      const head = await endings.add({ lease, conclusion, last });
      return head === undefined ? store.finish(database, lease, conclusion, last) : head;
    }
    try {
      return await database.tx(async (tx) => {
        await settle(tx);
        return store.finish(tx, lease, conclusion, last);
      });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const { lane, kind, eventId } = lease.row;
      logger.error('outbox settle hook failed; the row is sent again', {
        lane,
        kind,
        eventId,
        error: (error as Error).message,
      });
      return this.settle(
        lease,
        {
          verdict: 'retry',
          reason: `settle failed: ${(error as Error).message}`,
          spend: true,
          maxAgeSeconds: giveUpSeconds,
        },
        last,
      );
    }
  }

  private async park(lease: Lease): Promise<void> {
    const { database, store, gate, arm } = this.context;
    await store.park(database, lease);
    // A release meanwhile has not seen this lane asleep
    if (gate.passes(lease.row)) await arm();
  }

  private async handBack(lease: Lease): Promise<null> {
    await this.context.store.handBack(this.context.database, lease);
    return null;
  }
}
