import { systemClock, type Clock } from '@platform/runtime';

/** What a call showed about the other side; `unknown`: nothing, our side abandoned it. */
export type Sign = 'alive' | 'absent' | 'unknown';

/** `half`: its pause is over, and the next call probes whether the other side is back. */
export type BreakerState = 'closed' | 'half' | 'open';

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly failures?: number;
  /** How long it stays open before one call may probe. */
  readonly pauseMs?: number;
  readonly clock?: Clock;
}

/**
 * Circuit breaker ("Release It!", M. Nygard): after consecutive failures no call is let through for a while, then one probe
 * at a time. The first sign of life closes it.
 */
export class Breaker {
  private failures = 0;
  /** Only meaningful once there are enough failures. */
  private openUntil = 0;
  private probing = false;
  private readonly most: number;
  private readonly pauseMs: number;
  private readonly clock: Clock;

  constructor({ failures = 5, pauseMs = 5_000, clock = systemClock }: BreakerOptions = {}) {
    this.most = failures;
    this.pauseMs = pauseMs;
    this.clock = clock;
  }

  /** Lets one call through, which must report its outcome once. Undefined: do not call, fail at once. */
  admit(): ((sign: Sign) => void) | undefined {
    if (this.failures < this.most) return (sign) => this.settle(sign, false);
    if (this.probing || this.now() < this.openUntil) return undefined;
    this.probing = true;
    return (sign) => {
      this.probing = false;
      this.settle(sign, true);
    };
  }

  get state(): BreakerState {
    if (this.failures < this.most) return 'closed';
    return this.now() < this.openUntil ? 'open' : 'half';
  }

  /** Whole seconds until a call may probe, at least 1. */
  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.openUntil - this.now()) / 1000));
  }

  private settle(sign: Sign, isProbe: boolean): void {
    if (sign === 'alive') this.failures = 0;
    if (sign !== 'absent') return;
    const wasOpen = this.failures >= this.most;
    // Calls that were in flight when it opened fail one after the other, and must not keep it open
    if (wasOpen && !isProbe) return;
    this.failures += 1;
    this.openUntil = this.now() + this.pauseMs;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
