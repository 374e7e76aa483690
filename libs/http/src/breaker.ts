import { steadyClock, type Clock } from '@platform/runtime';

/** What a call showed about the other side; `unknown`: nothing, our side abandoned it. */
export type Sign = 'alive' | 'absent' | 'unknown';

/** `half`: its pause is over, and the next call probes whether the other side is back. */
export type BreakerState = 'closed' | 'half' | 'open';

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly failures?: number;
  /** How long it stays open before one call may probe. */
  readonly pauseMs?: number;
  /**
   * Calls of one store that fail shut it to that store. To all it opens only by failures of several, of which one store's count for less
   * than half (architecture 8: one noisy tenant).
   */
  readonly perStore?: boolean;
  readonly clock?: Clock;
}

interface Absence {
  failures: number;
  openUntil: number;
}

/** Of stores that had no answer last; beyond it the one that waits longest is forgotten. */
const MOST_STORES = 1_000;

/**
 * Circuit breaker ("Release It!", M. Nygard): after consecutive failures no call is let through for a while, then one probe
 * at a time. The first sign of life closes it.
 */
export class Breaker {
  private failures = 0;
  /** Only meaningful once there are enough failures. */
  private openUntil = 0;
  private probing = false;
  /** By store, of those that had no answer since their last one. */
  private readonly absences = new Map<string, Absence>();
  /** How many of the failures are whose, since the last sign of life. */
  private readonly failing = new Map<string, number>();
  private readonly most: number;
  private readonly pauseMs: number;
  private readonly clock: Clock;
  private readonly perStore: boolean;

  constructor({ failures = 5, pauseMs = 5_000, perStore = false, clock = steadyClock }: BreakerOptions = {}) {
    this.perStore = perStore;
    this.most = failures;
    this.pauseMs = pauseMs;
    this.clock = clock;
  }

  /** Lets one call through, of this store if any, which must report its outcome once. Undefined: do not call, fail at once. */
  admit(storeId?: string): ((sign: Sign) => void) | undefined {
    const store = this.perStore ? storeId : undefined;
    if (this.isShutTo(store)) return undefined;
    if (this.failures < this.most) return (sign) => this.settle(sign, false, store);
    if (this.probing || this.now() < this.openUntil) return undefined;
    this.probing = true;
    return (sign) => {
      this.probing = false;
      this.settle(sign, true, store);
    };
  }

  /** When its pause is over one call of it may probe, and puts the next one off. */
  private isShutTo(store: string | undefined): boolean {
    const absence = store === undefined ? undefined : this.absences.get(store);
    if (!absence || absence.failures < this.most) return false;
    if (this.now() < absence.openUntil) return true;
    absence.openUntil = this.now() + this.pauseMs;
    return false;
  }

  /** Whether calls, of this store if any, have had no answer since the last sign of life, so that the next may be kept waiting too. */
  isDoubted(storeId?: string): boolean {
    return this.failures >= this.most || (storeId !== undefined && this.absences.has(storeId));
  }

  get state(): BreakerState {
    if (this.failures < this.most) return 'closed';
    return this.now() < this.openUntil ? 'open' : 'half';
  }

  /** Whole seconds until a call may probe, at least 1. */
  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.openUntil - this.now()) / 1000));
  }

  private settle(sign: Sign, isProbe: boolean, store: string | undefined): void {
    if (sign === 'alive') this.revive(store);
    if (sign !== 'absent') return;
    if (store !== undefined) this.note(store);
    const wasOpen = this.failures >= this.most;
    // Calls that were in flight when it opened fail one after the other, and must not keep it open
    if (wasOpen ? !isProbe : !this.counts(store)) return;
    if (!wasOpen) this.failures += 1;
    this.openUntil = this.now() + this.pauseMs;
  }

  /** Whether one more failure of this store says something about the other side. */
  private counts(store: string | undefined): boolean {
    if (store === undefined) return true;
    const failed = this.failing.get(store) ?? 0;
    if (failed >= Math.max(1, Math.floor(this.most / 2))) return false;
    this.failing.set(store, failed + 1);
    return true;
  }

  private revive(store: string | undefined): void {
    this.failures = 0;
    this.failing.clear();
    if (store !== undefined) this.absences.delete(store);
  }

  private note(store: string): void {
    const absence = this.absences.get(store) ?? { failures: 0, openUntil: 0 };
    if (absence.failures < this.most) absence.openUntil = this.now() + this.pauseMs;
    absence.failures += 1;
    this.absences.set(store, absence);
    const [oldest] = this.absences.keys();
    if (this.absences.size > MOST_STORES && oldest !== undefined) this.absences.delete(oldest);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
