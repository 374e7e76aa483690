import type { Component } from '@platform/runtime';

/** Gives a lock back, and only one's own: after the time to live it may belong to somebody else and is left alone. */
export interface Release {
  (): Promise<void>;
  /** Fencing token: grows from holder to holder, so that a store can refuse the late write of a former one. */
  readonly token: number;
}

/**
 * What replicas of a service share and may lose: nothing durable lives here. Redis or in process, with one contract suite.
 * Keys belong to this cache (its `name` is put before them); channels are common to all services on the same Redis.
 * Times to live are seconds, fractions allowed, and always required. Throws `Unavailable` while Redis is away.
 */
export interface Cache extends Component {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Counts up within a fixed window that begins with the first increment; atomic. Resolves to the count, the first is 1. */
  increment(key: string, ttlSeconds: number): Promise<number>;
  /** Null when somebody holds it. Not renewed: choose a time to live longer than the work. */
  lock(key: string, ttlSeconds: number): Promise<Release | null>;
  /** At most once, to those who are subscribed now, the sender included. */
  publish(channel: string, message: string): Promise<void>;
  /** Resolves once subscribed, to the function that ends it. Renews itself; messages sent in between are lost. */
  subscribe(channel: string, handler: (message: string) => void): Promise<() => Promise<void>>;
  /** Runs a script atomically. Any other key it touches must be made from one of `keys`, else the name is not before it. */
  runScript<Result>(
    script: CacheScript<Result>,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<Result>;
}

/** One atomic operation, written twice; one suite over both holds them to the same behaviour. */
export interface CacheScript<Result> {
  readonly name: string;
  /** For Redis. Numbers, strings, arrays and nil (null) come back as they are, Lua's `false` as null. */
  readonly lua: string;
  /** In process: synchronous, therefore atomic; time stands still. `args` are strings, as Lua gets them. */
  readonly twin: (store: ScriptStore, keys: readonly string[], args: readonly string[]) => Result;
}

/** The in-process store as scripts see it: any value under a key, with an optional time to live. */
export interface ScriptStore {
  get<Value>(key: string): Value | undefined;
  /** Without `ttlMs` the value stays until it is deleted. */
  set(key: string, value: unknown, ttlMs?: number): void;
  /** Another value for an existing key, with the same time to live as before. */
  replace(key: string, value: unknown): void;
  /** Changes the time to live of an existing key; false when there is none. */
  expire(key: string, ttlMs: number): boolean;
  delete(key: string): boolean;
}

/** What Redis and the in-process store do differently; everything else is made of these. */
export interface CacheBackend
  extends
    Pick<Cache, 'get' | 'delete' | 'publish' | 'subscribe'>,
    Required<Pick<Component, 'start' | 'stop' | 'check'>> {
  set(key: string, value: string, ttlMs: number): Promise<void>;
  run<Result>(script: CacheScript<Result>, keys: readonly string[], args: readonly string[]): Promise<Result>;
}
