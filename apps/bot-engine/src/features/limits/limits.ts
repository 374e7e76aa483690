import { createHash } from 'node:crypto';
import type { Cache } from '@platform/data';
import { SharedPlaces, uuidv7, type Clock, type Component, type Logger } from '@platform/runtime';
import { refusals } from '../../refusals';
import { BEGIN, CHECK, COUNT, HOLD, LEAVE } from './limits.scripts';
import type { Place, TurnLimits } from './limits.types';

export interface LimitsOptions {
  readonly cache: Pick<Cache, 'runScript'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Turns of this process, of all stores; none of them has so many that another finds no place. */
  readonly places: number;
  /** How long a process that has died keeps its places. */
  readonly heldMs: number;
}

const MINUTE_MS = 60_000;
const STORE_TURNS = 60;
const STORE_PLACES = 20;
const CUSTOMER_TURNS = 10;
const TESTS = 30;
/** A turn takes about as long. */
const PAUSE_MS = 2_000;

const keysOf = (storeId: string) => [`limits:{${storeId}}:turns`, `limits:{${storeId}}:places`] as const;

/** Ids may be long, and are only compared. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** See `TurnLimits`. Sliding minutes: a turn counts until it is a minute old. */
export class Limits implements TurnLimits, Component {
  readonly name = 'turn limits';
  private readonly own: SharedPlaces;
  /** Tokens of the places that this process holds, by store. */
  private readonly inUse = new Map<string, Set<string>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LimitsOptions) {
    this.own = new SharedPlaces({ places: options.places, most: STORE_PLACES });
  }

  start(): Promise<void> {
    this.timer = setInterval(() => void this.hold(), this.options.heldMs / 3).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  /** Turns that run here now. */
  running(): number {
    return [...this.inUse.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async refuseWhenFull(storeId: string): Promise<void> {
    const wait = await this.options.cache.runScript(CHECK, keysOf(storeId), this.allowed());
    if (wait > 0) throw refusals.storeBusy(Math.ceil(wait / 1000));
  }

  async begin(storeId: string, token: string): Promise<Place | { readonly retryAfterMs: number }> {
    const giveBack = this.own.take(storeId);
    if (!giveBack) return { retryAfterMs: PAUSE_MS };
    try {
      const args = [...this.allowed(), this.options.heldMs, token];
      const retryAfterMs = await this.options.cache.runScript(BEGIN, keysOf(storeId), args);
      if (retryAfterMs === 0) return this.placeOf(storeId, token, giveBack);
      giveBack();
      return { retryAfterMs };
    } catch (failure) {
      giveBack();
      throw failure;
    }
  }

  async customer(conversation: string, idMessage: string): Promise<boolean> {
    return (await this.count(`limits:{${conversation}}:customer`, CUSTOMER_TURNS, digest(idMessage))) === 0;
  }

  async testing(storeId: string): Promise<void> {
    const wait = await this.count(`limits:{${storeId}}:testing`, TESTS, uuidv7());
    if (wait > 0) throw refusals.storeBusy(Math.ceil(wait / 1000));
  }

  /** Says that the places of this process are still in use; one that is late may be taken, and the store has one more turn. */
  async hold(): Promise<void> {
    const { cache, clock, heldMs, logger } = this.options;
    const until = clock.now().getTime() + heldMs;
    const renewed = [...this.inUse].map(([storeId, tokens]) =>
      cache.runScript(HOLD, [keysOf(storeId)[1]], [until, heldMs, ...tokens]),
    );
    await Promise.all(renewed).catch((cause: unknown) => logger.warn('places of turns were not renewed', { cause }));
  }

  private allowed(): number[] {
    return [this.options.clock.now().getTime(), MINUTE_MS, STORE_TURNS, STORE_PLACES, PAUSE_MS];
  }

  private count(key: string, most: number, member: string): Promise<number> {
    const { cache, clock } = this.options;
    return cache.runScript(COUNT, [key], [clock.now().getTime(), MINUTE_MS, most, member]);
  }

  private placeOf(storeId: string, token: string, giveBack: () => void): Place {
    const tokens = this.inUse.get(storeId) ?? new Set();
    this.inUse.set(storeId, tokens.add(token));
    const leave = async (): Promise<void> => {
      giveBack();
      tokens.delete(token);
      if (tokens.size === 0 && this.inUse.get(storeId) === tokens) this.inUse.delete(storeId);
      const { cache, logger } = this.options;
      // What cannot be given back now comes free by itself
      const left = cache.runScript(LEAVE, [keysOf(storeId)[1]], [token]);
      await left.catch((cause: unknown) => logger.warn('the place of a turn was not given back', { cause }));
    };
    return { leave };
  }
}
