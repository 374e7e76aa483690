import { steadyClock, type Clock } from './clock';

export interface LruCacheOptions {
  /** Most entries; beyond it the least recently used one is forgotten. */
  readonly limit: number;
  /** Milliseconds for which an entry may be used after it was set; forever by default. */
  readonly ttlMs?: number;
  readonly clock?: Clock;
}

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

/**
 * A map of bounded size that evicts the least recently used entry: an overflow costs one entry, never all of them. A Map
 * keeps insertion order, so it serves as the list of last use as well. Grows with its entries; the `lru-cache` package
 * reserves memory for all of them at once, and a gateway has several caches per device (ADR 35).
 */
export class LruCache<K, V> {
  private readonly entries = new Map<K, Entry<V>>();
  private readonly clock: Clock;

  constructor(private readonly options: LruCacheOptions) {
    this.clock = options.clock ?? steadyClock;
  }

  /** Entries held, including expired ones that have not been read since. */
  get size(): number {
    return this.entries.size;
  }

  /** The value, which is now the most recently used; undefined when it is unknown or expired. */
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

  /** Forgets every entry whose value matches; scans all of them. */
  deleteWhere(matches: (value: V) => boolean): void {
    for (const [key, { value }] of this.entries) if (matches(value)) this.entries.delete(key);
  }

  /** Without a ttl the clock is never read. */
  private now(): number {
    return this.options.ttlMs === undefined ? 0 : this.clock.now().getTime();
  }
}
