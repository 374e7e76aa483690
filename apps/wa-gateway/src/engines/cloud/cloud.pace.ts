import type { Clock } from '@platform/runtime';
import type { Jid } from '../engine.types';

/** 4^5 s, 17 minutes: beyond that a longer wait teaches nothing. */
const HIGHEST_POWER = 5;
const LONGEST_HOLD_MS = 60_000;

/** Meta's own pace (design 5.3): 131056 concerns one chat, 130429 the whole number. */
export class CloudPace {
  private readonly pairs = new Map<Jid, number>();
  private holds = 0;
  private heldUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Milliseconds during which nothing of this number should leave. */
  get heldMs(): number {
    const left = this.heldUntil - this.clock.now().getTime();
    // More than it may ever be: the clock was set back
    return left > LONGEST_HOLD_MS ? 0 : Math.max(0, left);
  }

  /** Pair rate: 4^n s for this chat, n from 0, one more each time (Meta's own advice). */
  pairLimited(chat: Jid): number {
    const power = this.pairs.get(chat) ?? 0;
    this.pairs.set(chat, power + 1);
    return 4 ** Math.min(power, HIGHEST_POWER) * 1_000;
  }

  /** Throughput, or Meta's own trouble: 1, 2, 4 … 60 s for the whole number. */
  numberLimited(): number {
    if (this.heldMs > 0) return this.heldMs;
    const wait = Math.min(LONGEST_HOLD_MS, 1_000 * 2 ** this.holds);
    this.holds += 1;
    this.heldUntil = this.clock.now().getTime() + wait;
    return wait;
  }

  went(chat: Jid): void {
    this.pairs.delete(chat);
    this.holds = 0;
  }
}
