import type { Database } from '@platform/data';
import { cut, storable } from '@platform/runtime';
import type { CatalogueRow } from '../../clients/commerce.client';
import { vocabularyOf } from './catalogue.words';
import { SEARCH_PRODUCTS } from './search.sql';

/** Enough to be found by; a tsvector of PostgreSQL has a limit of 1 MB. */
const BODY = 4_000;
const NAME = 500;

/** A row that says what the copy says already is not written: every write is one of its indexes too. */
const PUT = `
  INSERT INTO bot_catalogue AS held (store_id, sku, product_id, variant_id, name, category, body, image, url, updated_at)
  SELECT $1, row.* FROM jsonb_to_recordset($2::jsonb)
    AS row(sku text, product_id text, variant_id text, name text, category text, body text, image text, url text, updated_at timestamptz)
  ON CONFLICT (store_id, sku) DO UPDATE
    SET product_id = EXCLUDED.product_id, variant_id = EXCLUDED.variant_id, name = EXCLUDED.name, category = EXCLUDED.category,
        body = EXCLUDED.body, image = EXCLUDED.image, url = EXCLUDED.url, updated_at = EXCLUDED.updated_at
    WHERE (held.product_id, held.variant_id, held.name, held.category, held.body, held.image, held.url)
      IS DISTINCT FROM (EXCLUDED.product_id, EXCLUDED.variant_id, EXCLUDED.name, EXCLUDED.category, EXCLUDED.body, EXCLUDED.image, EXCLUDED.url)`;
const ADD_WORDS = `
  INSERT INTO bot_vocab (store_id, word) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`;
const REMOVE = `DELETE FROM bot_catalogue WHERE store_id = $1 AND sku = ANY($2::text[])`;
/** What a full pass has not seen, from a SKU on. */
const UNSEEN = `
  SELECT sku FROM bot_catalogue WHERE store_id = $1 AND NOT EXISTS (
    SELECT 1 FROM unnest($2::text[]) seen(sku) WHERE seen.sku = bot_catalogue.sku) ORDER BY sku`;
const FORGET_WORDS = `DELETE FROM bot_vocab WHERE store_id = $1 AND NOT EXISTS (
    SELECT 1 FROM unnest($2::text[]) known(word) WHERE known.word = bot_vocab.word)`;

const COPIED = `
  INSERT INTO bot_catalogue_copies AS copy (store_id, watermark, copied_at) VALUES ($1, $2, now())
  ON CONFLICT (store_id) DO UPDATE SET watermark = GREATEST(copy.watermark, EXCLUDED.watermark), copied_at = now()`;
const STATE = `SELECT watermark, copied_at FROM bot_catalogue_copies WHERE store_id = $1`;
const USED = `
  INSERT INTO bot_catalogue_copies (store_id) VALUES ($1)
  ON CONFLICT (store_id) DO UPDATE SET used_at = now()`;

export interface CopyState {
  /** Time of the newest row that the copy has. */
  readonly watermark: Date | null;
  /** When it was last complete; null: never. */
  readonly copiedAt: Date | null;
}

export interface ProductHit {
  readonly sku: string;
  readonly score: number;
}

const stored = ({ sku, productId, variantId, name, category, description, image, url, updatedAt }: CatalogueRow) => ({
  ...{ sku, product_id: productId, variant_id: variantId, name: cut(name, NAME), category: cut(category, NAME) },
  ...{ body: cut(description, BODY), image, url, updated_at: updatedAt },
});

/** The copy of the stores' products that is searched (design 3.9). */
export class CatalogueRepository {
  constructor(private readonly database: Database) {}

  async search(storeId: string, words: readonly string[], limit: number): Promise<ProductHit[]> {
    // Without a name, so that it is planned for this store
    return this.database.query<ProductHit>(SEARCH_PRODUCTS, [storeId, words, limit]);
  }

  /** As commerce named them when they were copied. */
  async named(storeId: string, skus: readonly string[]): Promise<{ readonly sku: string; readonly name: string }[]> {
    return this.database.prepared(
      'catalogue names',
      'SELECT sku, name FROM bot_catalogue WHERE store_id = $1 AND sku = ANY($2::text[])',
      [storeId, skus],
    );
  }

  async state(storeId: string): Promise<CopyState> {
    const [row] = await this.database.prepared<{ watermark: Date | null; copied_at: Date | null }>(
      'catalogue state',
      STATE,
      [storeId],
    );
    return { watermark: row?.watermark ?? null, copiedAt: row?.copied_at ?? null };
  }

  /** Writes a page of rows, of which no two have the same SKU, and their words. */
  async put(storeId: string, rows: readonly CatalogueRow[]): Promise<void> {
    if (rows.length === 0) return;
    const page = storable(rows.map(stored));
    await this.database.tx(async (tx) => {
      await tx.query(PUT, [storeId, JSON.stringify(page)]);
      await tx.query(ADD_WORDS, [storeId, [...new Set(page.flatMap(vocabularyOf))].toSorted()]);
    });
  }

  async remove(storeId: string, skus: readonly string[]): Promise<void> {
    if (skus.length > 0) await this.database.query(REMOVE, [storeId, skus]);
  }

  async unseen(storeId: string, seen: readonly string[]): Promise<string[]> {
    return (await this.database.query<{ sku: string }>(UNSEEN, [storeId, seen])).map(({ sku }) => sku);
  }

  /** Leaves only these words to be corrected to. */
  async keepWords(storeId: string, words: readonly string[]): Promise<void> {
    await this.database.query(FORGET_WORDS, [storeId, words]);
  }

  /** The copy is complete up to the watermark, which never goes back. */
  async copied(storeId: string, watermark: Date | null): Promise<void> {
    await this.database.query(COPIED, [storeId, watermark]);
  }

  async used(storeId: string): Promise<void> {
    await this.database.prepared('catalogue used', USED, [storeId]);
  }
}
