import type { Sql } from '@platform/data';
import { RevalidatingCache, SharedPlaces, type Clock } from '@platform/runtime';
import { SHELVES } from './dashboard.sql';

/** Goods of a shop in which looking at all of them takes longer than the rest of its home: then the count may be a few seconds old. */
const LARGE_SHOP = 10_000;
const LARGE_SHOPS = { limit: 1_000, freshMs: 10_000, staleMs: 590_000 };
/** Statements that nobody waits for. */
const BEHIND = { places: 2, most: 1 };

/** Variants on sale, and how many of them were never on a shelf. */
export interface Shelves {
  readonly shelfless: number;
  readonly on_sale: number;
}

const kept = ({ shelfless, on_sale }: Shelves): number | undefined => (on_sale >= LARGE_SHOP ? shelfless : undefined);

/** How many variants of large shops were never on a shelf. */
export class ShelflessGoods {
  private readonly counts: RevalidatingCache<string, number>;

  constructor(private readonly parts: { readonly sql: Sql; readonly clock: Clock }) {
    this.counts = new RevalidatingCache({ ...LARGE_SHOPS, places: new SharedPlaces(BEHIND), clock: parts.clock });
  }

  /** Undefined: to be counted with the rest, and told to `learn`. */
  known(storeId: string): number | undefined {
    const ask = async (): Promise<number | undefined> => {
      const [shelves] = (await this.parts.sql.prepared<Shelves>('shelves', SHELVES, [storeId])) as [Shelves];
      return kept(shelves);
    };
    return this.counts.get(storeId, { tenant: storeId, ask });
  }

  learn(storeId: string, shelves: Shelves): void {
    this.counts.set(storeId, kept(shelves));
  }
}
