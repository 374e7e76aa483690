import { systemClock, type Clock } from './clock';

export interface LruCacheOptions {
  /** Most entries; beyond it the least recently used one is forgotten. */
  readonly limit: number;
  /** Milliseconds for which an entry may be used after it was set; forever when left out. */
  readonly ttlMs?: number;
  readonly clock?: Clock;
}

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

/**
 * A map of bounded size that forgets what was not used for longest: an overflow costs one entry, never all of them. A Map
 * keeps insertion order, which makes it the list of last use as well. Grows with its entries; the `lru-cache` package
 * reserves memory for all of them at once, and a gateway has several caches a device (ADR 35).
 */
export class LruCache<K, V> {
  private readonly entries = new Map<K, Entry<V>>();
  private readonly clock: Clock;

  constructor(private readonly options: LruCacheOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** Entries held, including expired ones that have not been read since. */
  get size(): number {
    return this.entries.size;
  }

  /** The value, which is now the most recently used; undefined when it is unknown or its time is over. */
  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (entry.until <= this.now()) return undefined;
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, { value, until: this.now() + (this.options.ttlMs ?? Infinity) });
    if (this.entries.size <= this.options.limit) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** Forgets every entry whose value is one of these; looks at all of them. */
  deleteWhere(matches: (value: V) => boolean): void {
    for (const [key, { value }] of this.entries) if (matches(value)) this.entries.delete(key);
  }

  /** Without a ttl the clock is never read. */
  private now(): number {
    return this.options.ttlMs === undefined ? 0 : this.clock.now().getTime();
  }
}
