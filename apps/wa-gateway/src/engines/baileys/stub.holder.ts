import { retry, type Logger, type RetryOptions } from '@platform/runtime';
import type { NeutralMessage } from '../engine.types';
import type { StubStore } from './stub.store';

export interface StubHolderOptions {
  readonly store: Pick<StubStore, 'save' | 'all' | 'remove'>;
  readonly holdMs: number;
  /** Whether the message itself has come meanwhile. */
  readonly known: (id: string) => Promise<boolean>;
  /** Tells of a message without its text. */
  readonly tell: (message: NeutralMessage) => Promise<void>;
  readonly retrying: RetryOptions;
  readonly logger: Logger;
}

interface Held {
  /** Resolves, also when that failed, before the row may be removed: it would stay otherwise. */
  readonly saved: Promise<void>;
  timer?: NodeJS.Timeout;
}

/**
 * Messages that could not be decrypted. The writer's client usually sends them again, with the same id (design 3.2); what does
 * not come in time is told as empty. The rows remember it: the next process tells what this one held.
 */
export class StubHolder {
  private readonly held = new Map<string, Held>();

  constructor(private readonly options: StubHolderOptions) {}

  /** It is told unless the message arrives in time. Resolves when that is durable. */
  async hold(id: string, message: NeutralMessage): Promise<void> {
    const before = this.held.get(id);
    if (before) return before.saved;
    const { store, holdMs } = this.options;
    const saved = this.insist('a message that could not be decrypted is held in memory only', id, () =>
      store.save({ id, message, afterMs: holdMs }),
    );
    const held = { saved };
    this.held.set(id, held);
    await saved;
    if (this.held.get(id) === held) this.wait(id, message, holdMs);
  }

  /** What an earlier process held. */
  async resume(): Promise<void> {
    for (const { id, message, afterMs } of await this.options.store.all())
      if (!this.held.has(id)) this.wait(id, message, afterMs);
  }

  arrived(id: string): void {
    const held = this.held.get(id);
    if (!held) return;
    clearTimeout(held.timer);
    void this.settle(id);
  }

  /** Nothing is told any more; the rows stay. */
  clear(): void {
    for (const { timer } of this.held.values()) clearTimeout(timer);
    this.held.clear();
  }

  private wait(id: string, message: NeutralMessage, milliseconds: number): void {
    const missed = (): void =>
      void this.insist('a message that could not be decrypted was not reported', id, async () => {
        if (!(await this.options.known(id))) await this.options.tell(message);
        await this.settle(id);
      });
    const timer = setTimeout(missed, milliseconds).unref();
    this.held.set(id, { saved: this.held.get(id)?.saved ?? Promise.resolve(), timer });
  }

  private async settle(id: string): Promise<void> {
    const held = this.held.get(id);
    this.held.delete(id);
    await held?.saved;
    await this.insist('a stub that was settled is still held', id, () => this.options.store.remove(id));
  }

  /** Never rejects: what fails here keeps nobody's messages out. */
  private async insist(failure: string, id: string, work: () => Promise<void>): Promise<void> {
    const { retrying, logger } = this.options;
    await retry(work, { ...retrying, givingUp: () => undefined }).catch((cause: unknown) =>
      logger.error(failure, { id, cause }),
    );
  }
}
