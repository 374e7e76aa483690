import type { Clock, Logger } from '@platform/runtime';
import type { CatalogueRow, CommerceClient } from '../../clients/commerce.client';
import type { CatalogueRepository } from './catalogue.repository';
import { vocabularyOf } from './catalogue.words';

/** Rows whose transaction ended later than others that bear a later time. */
const OVERLAP_MS = 60_000;
/** A page that never ends is an error of the other side: 100 rows each, a million in all. */
const MOST_PAGES = 10_000;
const JUST_NOW_MS = 30_000;
/** SKUs of one question (design 2.8). */
const MOST_SKUS = 20;

export interface CopyParts {
  readonly commerce: Pick<CommerceClient, 'products' | 'productsOf'>;
  readonly catalogue: CatalogueRepository;
  readonly clock: Clock;
  readonly logger: Logger;
}

const isSold = ({ status }: CatalogueRow): boolean => status === 'active';

/** A SKU twice on a page is the newer one: pages come newest first. */
const oncePerSku = (rows: readonly CatalogueRow[]): CatalogueRow[] => [
  ...new Map(rows.toReversed().map((row) => [row.sku, row])).values(),
];

interface Seen {
  readonly skus: Set<string>;
  readonly words: Set<string>;
  newest: Date | null;
}

/** Brings the copy of a store's products up to date. Safe to repeat, to run twice at once, and to be killed anywhere. */
export class CatalogueCopy {
  constructor(private readonly parts: CopyParts) {}

  /**
   * Rows that changed since the last complete copy, all of them the first time. `full` reads every page, and removes what commerce
   * has no more: a store's pages move while they are read, so what was not on them is asked for by its SKU before it goes.
   */
  async run(storeId: string, { full = false } = {}): Promise<void> {
    const { catalogue, logger } = this.parts;
    const { watermark } = await catalogue.state(storeId);
    const until = full || watermark === null ? undefined : watermark.getTime() - OVERLAP_MS;
    const seen = await this.readPages(storeId, until);
    const gone = full ? await this.removeGone(storeId, seen) : 0;
    await catalogue.copied(storeId, seen.newest);
    logger.info('catalogue copied', { store_id: storeId, full, rows: seen.skus.size, gone });
  }

  /** The same as a job: what several first searches have asked for at once is done once. */
  async job(storeId: string, { full = false } = {}): Promise<void> {
    const { copiedAt } = await this.parts.catalogue.state(storeId);
    const age = copiedAt === null ? Infinity : this.parts.clock.now().getTime() - copiedAt.getTime();
    if (full || age > JUST_NOW_MS) await this.run(storeId, { full });
  }

  private async readPages(storeId: string, until: number | undefined): Promise<Seen> {
    const seen: Seen = { skus: new Set(), words: new Set(), newest: null };
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { rows, more } = await this.parts.commerce.products(storeId, page);
      const changed = rows.filter(({ updatedAt }) => until === undefined || Date.parse(updatedAt) >= until);
      await this.keep(storeId, changed, seen);
      if (!more || changed.length < rows.length) return seen;
    }
    throw new Error(`The catalogue of store ${storeId} does not end after ${MOST_PAGES} pages: it is left as it was.`);
  }

  private async keep(storeId: string, rows: readonly CatalogueRow[], seen: Seen): Promise<void> {
    const { catalogue } = this.parts;
    const sold = oncePerSku(rows.filter(isSold));
    const unsold = rows.filter((row) => !isSold(row)).map(({ sku }) => sku);
    await catalogue.put(storeId, sold);
    await catalogue.remove(storeId, unsold);
    for (const row of sold) {
      seen.skus.add(row.sku);
      for (const word of vocabularyOf(row)) seen.words.add(word);
    }
    for (const { updatedAt } of rows) {
      const time = new Date(updatedAt);
      if (seen.newest === null || time > seen.newest) seen.newest = time;
    }
  }

  private async removeGone(storeId: string, seen: Seen): Promise<number> {
    const { catalogue, commerce } = this.parts;
    const missing = await catalogue.unseen(storeId, [...seen.skus]);
    let gone = 0;
    for (let from = 0; from < missing.length; from += MOST_SKUS) {
      const asked = missing.slice(from, from + MOST_SKUS);
      const live = oncePerSku((await commerce.productsOf(storeId, asked)).filter(isSold));
      const alive = new Set(live.map(({ sku }) => sku));
      await this.keep(storeId, live, seen);
      await catalogue.remove(
        storeId,
        asked.filter((sku) => !alive.has(sku)),
      );
      gone += asked.length - alive.size;
    }
    await catalogue.keepWords(storeId, [...seen.words]);
    return gone;
  }
}
