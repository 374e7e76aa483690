import { NotFound, Unavailable } from '@platform/errors';
import { LruCache, type Clock, type Logger } from '@platform/runtime';
import { CommerceRefusal, type CommerceClient } from '../../clients/commerce.client';
import { refusals } from '../../refusals';
import type { StoreCopies } from './store.copies';
import type { StoreDirectory } from './store.directory';
import type { Store } from './store.entity';

export interface CommerceStoresParts {
  readonly commerce: Pick<CommerceClient, 'store'>;
  readonly copies: StoreCopies;
  readonly clock: Clock;
  readonly logger: Logger;
}

const KEPT_MS = 60_000;
/** While commerce is down its turns are answered from the copy at once, and it is asked this often. */
const STALE_MS = 5_000;
/** How old a copy may be. */
const COPY_MS = 24 * 3_600_000;
const MOST = 10_000;

/**
 * `STORE_SOURCE=commerce` (design 3.9): stores as commerce-api knows them, asked once a minute; while it is down the last good copy, for
 * a day. Those who ask for one store share a call, and wait for no other store.
 */
export class CommerceStores implements StoreDirectory {
  private readonly known: LruCache<string, Store>;
  private readonly stale: LruCache<string, Store>;
  private readonly asked = new Map<string, Promise<Store>>();

  constructor(private readonly parts: CommerceStoresParts) {
    const { clock } = parts;
    this.known = new LruCache({ limit: MOST, ttlMs: KEPT_MS, clock });
    this.stale = new LruCache({ limit: MOST, ttlMs: STALE_MS, clock });
  }

  async get(storeId: string): Promise<Store> {
    const store = this.known.get(storeId) ?? this.stale.get(storeId);
    if (store) return store;
    const waiting = this.asked.get(storeId) ?? this.ask(storeId).finally(() => this.asked.delete(storeId));
    this.asked.set(storeId, waiting);
    return waiting;
  }

  private async ask(storeId: string): Promise<Store> {
    const { commerce, copies, clock } = this.parts;
    let told;
    try {
      told = await commerce.store(storeId);
    } catch (failure) {
      return this.without(storeId, failure);
    }
    const store = await copies.keep(told, clock.now());
    this.known.set(storeId, store);
    return store;
  }

  private async without(storeId: string, failure: unknown): Promise<Store> {
    const { copies, clock, logger } = this.parts;
    if (failure instanceof NotFound) {
      await copies.forget(storeId);
      throw refusals.storeNotFound();
    }
    if (failure instanceof CommerceRefusal && failure.code === 'store_suspended') {
      const suspended = await copies.suspend(storeId, clock.now());
      this.known.set(storeId, suspended);
      return suspended;
    }
    const copy = await copies.since(storeId, new Date(clock.now().getTime() - COPY_MS));
    if (!copy) throw new Unavailable('the store cannot be looked up', { retryAfterSeconds: 2, cause: failure });
    logger.warn('commerce-api cannot be asked: a store is taken from its copy', { storeId, cause: failure });
    this.stale.set(storeId, copy);
    return copy;
  }
}
