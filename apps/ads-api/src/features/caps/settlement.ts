import type { Transaction } from '@platform/data';
import type { GraphAccount } from '../../clients/graph.types';
import { batchRows, LATE_MS, type AttemptOutcome, type Batch } from './batch.rows';
import type { Books } from './books';
import type { Refusal } from './operation.refusal';
import type { StoredOperation } from './operation.row';
import { operationRows } from './operation.rows';
import type { Holding, WorkerParts } from './worker.types';

const MINUTE_MS = 60_000;
/** When a late write would have come by, and once more when it could no longer come. */
const LOOKS_AFTER_MS = [MINUTE_MS, LATE_MS + MINUTE_MS];

/** How batches end. Each end is one transaction under the fence: batch, operations, ledger, and what other rooms add. */
export class Settlement {
  constructor(
    private readonly parts: WorkerParts,
    private readonly books: Books,
  ) {}

  /** Read back: upstream has it, or had it before somebody changed it to what was read. */
  async applied(held: Holding, batch: Batch, live: GraphAccount, outcome: AttemptOutcome = null): Promise<void> {
    const { clock, accounts } = this.parts;
    await this.ending(held, async (tx) => {
      await accounts.observed(held.key.applicationId, live, tx);
      const now = clock.now();
      if (!(await batchRows.end(tx, batch.id, { state: 'applied', now, outcome }))) return [];
      const operations = await operationRows.endOfBatch(tx, batch.id, 'applied', { now });
      const isOwed = await this.books.applied(tx, held, operations, { batch, observed: live.spendCap });
      // Nobody else asks for the repair before the next minute
      if (isOwed) await this.parts.queue.enqueue(tx, 'caps.reconcile', held.key);
      return operations;
    });
  }

  /** Nothing was applied. */
  async failed(held: Holding, batch: Batch, refusal: Refusal, outcome: AttemptOutcome = null): Promise<void> {
    await this.ending(held, async (tx) => {
      const now = this.parts.clock.now();
      if (!(await batchRows.end(tx, batch.id, { state: 'failed', now, refusal, outcome }))) return [];
      return operationRows.endOfBatch(tx, batch.id, 'failed', { now, refusal });
    });
  }

  /** Nothing was applied, and those that somebody still asks about are folded anew; the others are cancelled (design 3.4, abandoned). */
  async again(held: Holding, batch: Batch): Promise<void> {
    await this.ending(held, async (tx) => {
      const now = this.parts.clock.now();
      if (!(await batchRows.end(tx, batch.id, { state: 'cancelled', now }))) return [];
      await operationRows.queueAgain(tx, batch.id);
      return operationRows.cancelAbandoned(tx, held.key, now);
    });
  }

  /** Nobody can tell: an operator decides, and the account goes on. */
  async inDoubt(held: Holding, batch: Batch, live: GraphAccount): Promise<void> {
    const { clock, logger } = this.parts;
    const ended = await this.ending(held, async (tx) => {
      const now = clock.now();
      if (!(await batchRows.end(tx, batch.id, { state: 'needs_review', now }))) return [];
      await this.books.inDoubt(tx, held, batch, live.spendCap);
      return operationRows.endOfBatch(tx, batch.id, 'needs_review', { now });
    });
    logger.error('what a write of a spend cap did cannot be told: see the command cap-review', {
      ...held.key,
      batch: batch.id,
      operations: ended.map(({ id }) => id),
    });
  }

  /** The last send has no certain outcome. It may be executed late, so the account is looked at again when that would show, counted from the send. */
  async unknown(held: Holding, batch: Batch, outcome: 'ok' | 'unknown'): Promise<void> {
    const { queue, logger } = this.parts;
    await held.lease.tx(async (tx) => {
      await batchRows.outcome(tx, batch.id, { state: 'unknown', outcome });
      await operationRows.markUnknown(tx, batch.id);
      if (outcome === 'ok') return;
      for (const [look, after] of LOOKS_AFTER_MS.entries())
        await queue.enqueue(tx, 'caps.reconcile', held.key, {
          key: `late ${batch.id} ${look}`,
          afterSeconds: Math.max(0, after - Math.max(0, batch.sentAgoMs)) / 1000,
        });
    });
    logger.warn('a write of a spend cap has no certain outcome', { ...held.key, batch: batch.id, outcome });
  }

  /** Nothing was sent for those that wait: they hear why. */
  async refuseQueued(held: Holding, refusal: Refusal): Promise<void> {
    await this.ending(held, (tx) => operationRows.failQueued(tx, held.key, refusal, this.parts.clock.now()));
  }

  /** Of a process that died, or of callers that have gone. */
  async cancelAbandoned(held: Holding): Promise<void> {
    await this.ending(held, (tx) => operationRows.cancelAbandoned(tx, held.key, this.parts.clock.now()));
  }

  /** Whoever waits for them hears of it after the commit. */
  private async ending(
    { lease }: Pick<Holding, 'lease'>,
    end: (tx: Transaction) => Promise<StoredOperation[]>,
  ): Promise<StoredOperation[]> {
    const { ends } = this.parts;
    const ended = await lease.tx(async (tx) => {
      const operations = await end(tx);
      await ends.within(tx, operations);
      return operations;
    });
    ends.told(ended);
    return ended;
  }
}
