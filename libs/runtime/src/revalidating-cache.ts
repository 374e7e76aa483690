import { steadyClock, type Clock } from './clock';
import { LruCache } from './lru-cache';
import type { SharedPlaces } from './shared-places';

export interface RevalidatingCacheOptions {
  /** Most values; beyond it the least recently used one is forgotten. */
  readonly limit: number;
  /** Milliseconds for which a value is as good as a new one. */
  readonly freshMs: number;
  /** Milliseconds after those for which it will do once more, while a new one is on its way. */
  readonly staleMs: number;
  /** How many may be asked for behind everybody's back, in all and for one tenant; a value whose tenant has no place stays as it is. */
  readonly places: SharedPlaces;
  readonly clock?: Clock;
}

interface Entry<V> {
  readonly value: V;
  readonly freshUntil: number;
}

/** How a new value is got, and for whom. */
export interface Again<V> {
  readonly tenant: string;
  /** Undefined forgets the value, a failure leaves the old one. */
  readonly ask: () => Promise<V | undefined>;
}

/**
 * Values that take long to get and of which the last one will do for a while (stale-while-revalidate, RFC 5861): whoever reads a stale one has a
 * new one asked for behind their back, once for all who do, and nobody waits for it.
 */
export class RevalidatingCache<K, V> {
  private readonly entries: LruCache<K, Entry<V>>;
  private readonly clock: Clock;
  private readonly underWay = new Map<K, Again<V>>();

  constructor(private readonly options: RevalidatingCacheOptions) {
    const { limit, freshMs, staleMs, clock = steadyClock } = options;
    this.clock = clock;
    this.entries = new LruCache({ limit, ttlMs: freshMs + staleMs, clock });
  }

  /** The value as it was last, without `again` only a fresh one; undefined where it is unknown or too old. */
  get(key: K, again?: Again<V>): V | undefined {
    const entry = this.entries.get(key);
    if (!entry || this.isFresh(entry)) return entry?.value;
    if (again) void this.revalidate(key, again);
    return again && entry.value;
  }

  /** What is on its way was asked for before it. */
  set(key: K, value: V | undefined): void {
    this.underWay.delete(key);
    if (value === undefined) this.entries.delete(key);
    else this.entries.set(key, { value, freshUntil: this.now() + this.options.freshMs });
  }

  private async revalidate(key: K, again: Again<V>): Promise<void> {
    const leave = this.underWay.has(key) ? undefined : this.options.places.take(again.tenant);
    if (!leave) return;
    this.underWay.set(key, again);
    try {
      const value = await again.ask();
      if (this.underWay.get(key) === again) this.set(key, value);
    } catch {
      // Asked for again by the next reader, who hears of it once the old value has ended
    } finally {
      if (this.underWay.get(key) === again) this.underWay.delete(key);
      leave();
    }
  }

  /** Not by a clock that was set back since. */
  private isFresh({ freshUntil }: Entry<V>): boolean {
    const left = freshUntil - this.now();
    return left > 0 && left <= this.options.freshMs;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
