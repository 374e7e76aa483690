import type { CacheBackend, ScriptStore } from './cache.types';

interface Entry {
  value: unknown;
  /** Milliseconds since the epoch; Infinity for no time to live. */
  until: number;
}

const SWEEP_MS = 30_000;

/** Values that expire; an expired one is invisible at once and leaves memory at the next sweep. */
export class ExpiringStore implements ScriptStore {
  private readonly entries = new Map<string, Entry>();
  private frozenAt: number | undefined;

  /** Time stands still during `work`, as it does in a Redis script: what it has read cannot expire before it writes. */
  atomically<Result>(work: (store: ScriptStore) => Result): Result {
    this.frozenAt = Date.now();
    try {
      return work(this);
    } finally {
      this.frozenAt = undefined;
    }
  }

  get<Value>(key: string): Value | undefined {
    return this.live(key)?.value as Value | undefined;
  }

  set(key: string, value: unknown, ttlMs = Infinity): void {
    this.entries.set(key, { value, until: this.now() + ttlMs });
  }

  replace(key: string, value: unknown): void {
    const entry = this.live(key);
    if (entry) entry.value = value;
  }

  expire(key: string, ttlMs: number): boolean {
    const entry = this.live(key);
    if (entry) entry.until = this.now() + ttlMs;
    return entry !== undefined;
  }

  delete(key: string): boolean {
    const live = this.live(key) !== undefined;
    this.entries.delete(key);
    return live;
  }

  sweep(): void {
    for (const key of this.entries.keys()) this.live(key);
  }

  private now(): number {
    return this.frozenAt ?? Date.now();
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.until > this.now()) return entry;
    this.entries.delete(key);
    return undefined;
  }
}

/** For a single process: other replicas share nothing with it. */
export const memoryBackend = (): CacheBackend => {
  const store = new ExpiringStore();
  const channels = new Map<string, Set<(message: string) => void>>();
  let sweeper: NodeJS.Timeout | undefined;
  return {
    get: (key) => Promise.resolve(store.get<string>(key) ?? null),
    set: (key, value, ttlMs) => Promise.resolve(store.set(key, value, ttlMs)),
    delete: (key) => Promise.resolve(void store.delete(key)),
    run: async (script, keys, args) => store.atomically((frozen) => script.twin(frozen, keys, args)),
    // Delivered later, as from a server, so that a subscriber never runs inside the publisher.
    publish: (channel, message) =>
      Promise.resolve(void setImmediate(() => channels.get(channel)?.forEach((handler) => handler(message)))),
    subscribe: (channel, handler) => {
      const handlers = channels.get(channel) ?? new Set();
      channels.set(channel, handlers.add(handler));
      return Promise.resolve(() => {
        handlers.delete(handler);
        if (handlers.size === 0 && channels.get(channel) === handlers) channels.delete(channel);
        return Promise.resolve();
      });
    },
    start: () => {
      sweeper ??= setInterval(() => store.sweep(), SWEEP_MS).unref();
      return Promise.resolve();
    },
    stop: () => Promise.resolve(clearInterval(sweeper)),
    check: () => Promise.resolve(),
  };
};
