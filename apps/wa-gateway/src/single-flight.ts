import type { Logger } from '@platform/runtime';

const PAUSE_AFTER_FAILURE_MS = 500;

/**
 * Work that finds out by itself what there is to do: never twice at the same time, once more when it was asked for
 * meanwhile, again after a pause when it failed. The work resolves to the milliseconds after which it wants to run again.
 */
export class SingleFlight {
  private flight: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly work: () => Promise<number | undefined>,
    private readonly logger: Logger,
  ) {}

  run(): void {
    this.again = true;
    if (this.stopped || this.flight) return;
    this.flight = this.loop().finally(() => {
      this.flight = undefined;
      if (this.again) this.run();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.flight;
  }

  private async loop(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      clearTimeout(this.timer);
      const wait = await this.work().catch((cause: unknown) => {
        this.logger.warn('background work failed and will be tried again', { cause });
        return PAUSE_AFTER_FAILURE_MS;
      });
      if (wait === 0) this.again = true;
      else if (wait !== undefined && !this.stopped) this.timer = setTimeout(() => this.run(), wait).unref();
    }
  }
}
