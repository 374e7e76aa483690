import { retry, type Logger, type RetryOptions } from '@platform/runtime';

/** What is told of one message, group or person is recorded in its order; different ones do not wait for each other. */
export class EventLanes {
  private readonly lanes = new Map<string, Promise<void>>();

  constructor(
    private readonly retrying: RetryOptions,
    private readonly logger: Logger,
  ) {}

  /** Returns at once; `work` is repeated while the store is away, within limits. */
  run(lane: string, work: () => Promise<void>): void {
    const before = this.lanes.get(lane) ?? Promise.resolve();
    const failed = (cause: unknown): void =>
      this.logger.error('an event of WhatsApp was not recorded', { lane, cause });
    const run: Promise<void> = before
      .then(() => retry(work, this.retrying))
      .catch(failed)
      .finally(() => {
        if (this.lanes.get(lane) === run) this.lanes.delete(lane);
      });
    this.lanes.set(lane, run);
  }
}
