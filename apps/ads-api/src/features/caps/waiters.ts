import type { Database } from '@platform/data';
import type { Failure } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import { capRefusals } from './caps.refusals';
import type { Ends } from './ends';
import { hasEnded, type StoredOperation } from './operation.row';
import { operationRows, type AccountKey } from './operation.rows';

const POLL_MS = 150;
/** Each second an operation is said to be waited for: `WAITER_MS` in its row. */
const SAY_SO_MS = 1_000;

export interface WaitersParts {
  readonly database: Database;
  readonly ends: Ends;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long an operation waits to be taken. */
  readonly waitMs: number;
  /** And how long its caller waits for its end. */
  readonly longestMs: number;
}

interface Waiter {
  readonly operation: StoredOperation;
  resolve(ended: StoredOperation): void;
  reject(failure: Failure): void;
}

/** The requests of this process that wait for the end of an operation, whoever brings it about. */
export class Waiters {
  private readonly waiting = new Map<string, Set<Waiter>>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isStopping = false;
  private saidSoMs = 0;

  constructor(private readonly parts: WaitersParts) {
    parts.ends.listen((ended) => this.tell(ended));
  }

  has({ accountId }: AccountKey): boolean {
    for (const [waiter] of this.waiting.values()) if (waiter?.operation.accountId === accountId) return true;
    return false;
  }

  /**
   * Resolves to the operation when it has ended. Gives up an operation that nobody has taken in time, or whose caller has gone, for
   * good: it can take no effect afterwards. Rejects when it is still in progress.
   */
  wait(operation: StoredOperation, signal?: AbortSignal): Promise<StoredOperation> {
    return new Promise((resolve, reject) => {
      const timers = [
        setTimeout(() => void this.giveUp(operation), this.parts.waitMs),
        setTimeout(() => void this.end(operation, waiter), this.parts.longestMs),
      ];
      const gone = (): void => void this.gone(operation, waiter);
      const leave = (): void => {
        for (const timer of timers) clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        this.leave(operation.id, waiter);
      };
      const waiter: Waiter = {
        operation,
        resolve: (ended) => (leave(), resolve(ended)),
        reject: (failure) => (leave(), reject(failure)),
      };
      this.add(operation.id, waiter);
      signal?.addEventListener('abort', gone, { once: true });
      if (signal?.aborted) gone();
      if (this.isStopping) void this.giveUp(operation);
    });
  }

  /** The process stops: what nobody has taken is given up, also what is queued from now on. */
  async giveUpQueued(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.waiting.values()].map(([waiter]) => waiter && this.giveUp(waiter.operation)));
  }

  /** The process ends: what is left is left to recovery. */
  endAll(): void {
    for (const waiters of this.waiting.values())
      for (const waiter of waiters) waiter.reject(inProgress(waiter.operation));
  }

  private add(id: string, waiter: Waiter): void {
    const waiters = this.waiting.get(id) ?? new Set<Waiter>();
    this.waiting.set(id, waiters.add(waiter));
    this.timer ??= setInterval(() => void this.look(), POLL_MS);
  }

  private leave(id: string, waiter: Waiter): void {
    const waiters = this.waiting.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tell(ended: readonly StoredOperation[]): void {
    for (const operation of ended)
      for (const waiter of [...(this.waiting.get(operation.id) ?? [])]) waiter.resolve(operation);
  }

  /** One statement for all, however many wait; what ended elsewhere is seen here. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const ids = [...this.waiting.keys()];
    try {
      const now = performance.now();
      if (now - this.saidSoMs >= SAY_SO_MS) {
        this.saidSoMs = now;
        await operationRows.stillWaiting(this.parts.database, ids);
      }
      this.tell((await operationRows.among(this.parts.database, ids)).filter(hasEnded));
    } catch (cause) {
      this.parts.logger.warn('operations that are waited for could not be looked at', { count: ids.length, cause });
    } finally {
      this.isLooking = false;
    }
  }

  /** True: it was queued, and is cancelled now. */
  private async giveUp({ applicationId, id }: StoredOperation): Promise<boolean> {
    const { database, ends, clock, logger } = this.parts;
    try {
      const ended = await database.tx(async (tx) => {
        const cancelled = await operationRows.cancelQueued(tx, applicationId, [id], clock.now());
        await ends.within(tx, cancelled);
        return cancelled;
      });
      ends.told(ended);
      return ended.length > 0;
    } catch (cause) {
      logger.warn('an operation could not be given up', { operation: id, cause });
      return false;
    }
  }

  private async end(operation: StoredOperation, waiter: Waiter): Promise<void> {
    if (!(await this.giveUp(operation))) waiter.reject(inProgress(operation));
  }

  /** Nobody hears the answer: who can ask again finds it, for the others it must not happen. */
  private async gone(operation: StoredOperation, waiter: Waiter): Promise<void> {
    if (operation.hasKey || !(await this.giveUp(operation))) waiter.reject(inProgress(operation));
  }
}

const inProgress = ({ id, hasKey }: StoredOperation): Failure => capRefusals.inProgress(id, hasKey);
