import type { Clock } from '@platform/runtime';
import type { Rate } from '../../config';

/** Lets a fixed rate per second through, and a burst after a pause. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly rate: Rate,
    private readonly clock: Clock,
  ) {
    this.tokens = rate.burst;
    this.filledAt = clock.now().getTime();
  }

  /** Takes a token and answers 0, or answers the milliseconds until there is one. */
  take(): number {
    const { perSecond, burst } = this.rate;
    if (perSecond === 0) return 0;
    const now = this.clock.now().getTime();
    // A clock that was set back an hour would owe an hour's tokens, and nothing would leave for so long
    const sinceMs = Math.max(0, now - this.filledAt);
    this.tokens = Math.min(burst, this.tokens + (sinceMs / 1000) * perSecond);
    this.filledAt = now;
    if (this.tokens < 1) return Math.ceil(((1 - this.tokens) / perSecond) * 1000);
    this.tokens -= 1;
    return 0;
  }
}
