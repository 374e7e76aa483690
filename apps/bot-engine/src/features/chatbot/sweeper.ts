import { SharedPlaces, type Component } from '@platform/runtime';
import type { LeadDeps } from './lead.types';
import { leads } from './leader';

const EVERY_MS = 2_000;
const LEAST_AGE_MS = 2_000;
/** Turns that one process takes up beside those of its requests, and those of one store: models that hang keep no other store's messages waiting. */
const MOST = 50;
const MOST_OF_STORE = 10;

/**
 * Takes up conversations whose messages nobody leads: of a process that was killed, of a turn that failed, of a caller who had
 * waited long enough. Nobody waits for these answers, so they are pushed (design 3.3).
 */
export class Sweeper implements Component {
  readonly name = 'sweeper';
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private leading = 0;
  private readonly places = new SharedPlaces({ places: MOST, most: MOST_OF_STORE });

  constructor(private readonly deps: LeadDeps) {}

  async start(): Promise<void> {
    this.timer = setInterval(() => this.begin(), EVERY_MS);
  }

  drain(): void {
    clearInterval(this.timer);
  }

  async stop(): Promise<void> {
    this.drain();
    await this.sweeping;
  }

  /** One at a time: a slow cache would have two of them claim more than there are places. */
  private begin(): void {
    this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
  }

  private async sweep(): Promise<void> {
    const { mailbox, around } = this.deps;
    if (around.life.ending.aborted || this.leading >= MOST) return;
    try {
      const claimed = await mailbox.claimDue(LEAST_AGE_MS, MOST - this.leading);
      for (const { conversation, token } of claimed) void around.life.during(this.lead(conversation, token));
    } catch (cause) {
      around.logger.warn('waiting messages could not be claimed', { cause });
    }
  }

  /** Never rejects: what failed is released and comes again. */
  private async lead(conversation: string, token: string): Promise<void> {
    this.leading += 1;
    try {
      const answer = await leads(this.deps, {
        ...{ conversation, token, begunAt: Date.now() },
        share: (storeId) => this.places.take(storeId),
      });
      if (answer?.runs.length) this.deps.around.meters.recovered();
    } catch {
      // Told and released by the leader
    } finally {
      this.leading -= 1;
    }
  }
}
