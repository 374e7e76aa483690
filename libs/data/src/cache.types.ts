import type { Component } from '@platform/runtime';

/** Releases one's own lock only: after the time to live it may belong to somebody else, and is left alone. */
export interface Release {
  (): Promise<void>;
  /** Fencing token: grows from holder to holder, so that a store can refuse the late write of a former one. */
  readonly token: number;
}

/**
 * What replicas of a service share and may lose: nothing durable lives here. Redis or in process, with one contract suite.
 * Keys belong to this cache (its `name` is their prefix); channels are shared by all services on the same Redis.
 * Times to live are seconds, fractions allowed, and always required. Throws `Unavailable` while Redis is down.
 */
export interface Cache extends Component {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Counts within a fixed window that begins with the first increment; atomic. Resolves to the count, starting at 1. */
  increment(key: string, ttlSeconds: number): Promise<number>;
  /** Null when somebody holds it. Not renewed: choose a time to live longer than the work. */
  lock(key: string, ttlSeconds: number): Promise<Release | null>;
  /** Delivers at most once, to the current subscribers, the sender included. */
  publish(channel: string, message: string): Promise<void>;
  /**
   * Resolves once subscribed, to the function that ends it; at once while Redis is away, where it subscribes when there is a connection.
   * Resubscribes by itself; messages sent in between are lost.
   */
  subscribe(channel: string, handler: (message: string) => void): Promise<() => Promise<void>>;
  /** Runs a script atomically. Any other key it touches must be derived from one of `keys`, or it lacks the prefix. */
  runScript<Result>(
    script: CacheScript<Result>,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<Result>;
}

/** One atomic operation, written twice; one suite checks that both behave alike. */
export interface CacheScript<Result> {
  readonly name: string;
  /** For Redis. Numbers, strings, arrays and nil (null) are returned as they are, Lua's `false` as null. */
  readonly lua: string;
  /** In process: synchronous and therefore atomic; time stands still. `args` are strings, as in Lua. */
  readonly twin: (store: ScriptStore, keys: readonly string[], args: readonly string[]) => Result;
}

/** The in-process store as scripts see it: any value under a key, with an optional time to live. */
export interface ScriptStore {
  get<Value>(key: string): Value | undefined;
  /** Without `ttlMs` the value stays until it is deleted. */
  set(key: string, value: unknown, ttlMs?: number): void;
  /** Replaces the value of an existing key, and keeps its time to live. */
  replace(key: string, value: unknown): void;
  /** Changes the time to live of an existing key; false when there is none. */
  expire(key: string, ttlMs: number): boolean;
  delete(key: string): boolean;
}

/** The operations in which Redis and the in-process store differ; everything else is built on them. */
export interface CacheBackend
  extends
    Pick<Cache, 'get' | 'delete' | 'publish' | 'subscribe'>,
    Required<Pick<Component, 'start' | 'stop' | 'check'>> {
  set(key: string, value: string, ttlMs: number): Promise<void>;
  run<Result>(script: CacheScript<Result>, keys: readonly string[], args: readonly string[]): Promise<Result>;
}
