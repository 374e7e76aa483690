import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@platform/data';
import { LruCache, type Clock, type Logger } from '@platform/runtime';
import type { Queue } from '../../jobs';
import type { CatalogueRepository } from './catalogue.repository';

const MINUTE_MS = 60_000;
/** A store in use is copied every five minutes: older than this, it was not in use. */
const STALE_MS = 15 * MINUTE_MS;
/** How long this process believes what it has seen of a store; a copy that did not come is not waited for again before. */
const REMEMBERED_MS = 5 * MINUTE_MS;
const LOOK_MS = 50;
const STORES = 5_000;

export interface FirstUseParts {
  readonly database: Database;
  readonly catalogue: Pick<CatalogueRepository, 'state' | 'used'>;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the 3 s that a search may take, live rows need some. */
  readonly waitMs?: number;
}

/** The next one is due soon anyway. */
export const COPY_ATTEMPTS = 3;

/**
 * The copy of a store that was never made, or that nobody kept fresh because nobody asked, is made when somebody does, and waited
 * for, a little (design 3.9). It is a job: one copy at a time of a store, whoever asks, and one store's million products leave the
 * places of the others alone.
 */
export class FirstUse {
  private readonly known: LruCache<string, Promise<void>>;

  constructor(private readonly parts: FirstUseParts) {
    this.known = new LruCache({ limit: STORES, ttlMs: REMEMBERED_MS });
  }

  /** Never throws: a search answers from what there is. */
  ready(storeId: string): Promise<void> {
    const known = this.known.get(storeId);
    if (known) return known;
    const asked = this.ask(storeId).catch((cause: unknown) =>
      this.parts.logger.warn('the catalogue could not be looked after', { store_id: storeId, cause }),
    );
    this.known.set(storeId, asked);
    return asked;
  }

  private async ask(storeId: string): Promise<void> {
    const { database, catalogue, queue, waitMs = 2_000 } = this.parts;
    await catalogue.used(storeId);
    if (await this.isFresh(storeId)) return;
    const key = `catalogue first ${storeId}`;
    await queue.enqueue(database, 'catalogue.first', { storeId }, { key, maxAttempts: COPY_ATTEMPTS });
    for (const end = performance.now() + waitMs; performance.now() < end;) {
      await pause(LOOK_MS);
      if (await this.isFresh(storeId)) return;
    }
  }

  private async isFresh(storeId: string): Promise<boolean> {
    const { copiedAt } = await this.parts.catalogue.state(storeId);
    return copiedAt !== null && this.parts.clock.now().getTime() - copiedAt.getTime() < STALE_MS;
  }
}
