import { setTimeout as pause } from 'node:timers/promises';
import { Mutex, type Logger } from '@platform/runtime';
import type { DeviceState } from '../engine.types';

const PAUSE_MS = 500;

/** Reports states in their order. While the store is away the newest waits; what it replaced is of no interest any more. */
export class StateReporter {
  private readonly turns = new Mutex();
  private latest = 0;
  private isStopped = false;

  constructor(
    private readonly write: (state: DeviceState, cause?: string, until?: Date) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  report(state: DeviceState, cause?: string, until?: Date): void {
    this.tell(() => this.write(state, cause, until));
  }

  tell(work: () => Promise<void>): void {
    const turn = ++this.latest;
    void this.turns.run(() => this.insist(turn, work));
  }

  stop(): void {
    this.isStopped = true;
  }

  private async insist(turn: number, work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (cause) {
        this.logger.warn('the state of a device was not recorded', { cause });
        if (this.isStopped || turn !== this.latest) return;
        await pause(PAUSE_MS, undefined, { ref: false });
      }
    }
  }
}
