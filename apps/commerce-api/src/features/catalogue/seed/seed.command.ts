import type { Database, Sql } from '@platform/data';
import { uuidv5, type Clock } from '@platform/runtime';
import { slugWords as slugOf } from '../slugs/public';
import { seedMembers, type DemoMember } from '../../identity/access/public';

/** The part of the demo shop that this service keeps. */
export interface DemoShop {
  readonly store: {
    readonly store_id: string;
    readonly nama: string;
    readonly tz: string;
    readonly slug: string;
    readonly currency: string;
  };
  readonly owner?: DemoMember;
  readonly agents?: readonly DemoMember[];
  readonly products?: readonly DemoProduct[];
}

export interface DemoProduct {
  readonly sku: string;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly price: number;
  readonly stock: number;
}

/** Ids of seeded rows are derived from their content, so that seeding again finds them. */
const NAMESPACE = 'b0a7c4de-0f0a-5a7b-9d51-6f1f6c0d5e11';
const idOf = (storeId: string, kind: string, name: string): string => uuidv5(NAMESPACE, `${storeId}/${kind}/${name}`);
/** Claims the slug for the store, and answers its owner: the first store that claimed it. */
const CLAIM_SLUG = `
  INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('slug', $2, $1::text, $1::text)
  ON CONFLICT (kind, value) DO UPDATE SET kind = 'slug' RETURNING store_id`;

const SEED_STORE = `
  INSERT INTO store (store_id, slug, name, currency, timezone, owner_user_id, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING`;

const SEED_WAREHOUSE = `
  INSERT INTO warehouse (store_id, id, name, is_default, created_at, updated_at)
  VALUES ($1, $2, 'Gudang utama', true, $3, $3) ON CONFLICT DO NOTHING`;

const SEED_CATEGORY = `
  INSERT INTO category (store_id, id, name, slug, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT DO NOTHING`;

/** A product with its one variant, its stock and the movement that explains the stock; nothing when it is there already. */
const SEED_PRODUCT = `
  WITH product AS (
    INSERT INTO product (store_id, id, kind, name, slug, status, category_id, description, weight_g, search_text, price_min, created_at, updated_at)
    VALUES ($1, $2, 'physical', $3::text, $4, 'active', $5, $6, 1000, lower(concat_ws(' ', $3::text, $7::text, $8::text)),
      $10::bigint, $12::timestamptz, $12::timestamptz)
    ON CONFLICT DO NOTHING RETURNING store_id, id
  ), variant AS (
    INSERT INTO variant (store_id, id, product_id, sku, price, created_at, updated_at)
    SELECT store_id, $9::uuid, id, $8::text, $10::bigint, $12::timestamptz, $12::timestamptz FROM product RETURNING store_id, id
  ), level AS (
    INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, updated_at)
    SELECT store_id, id, $11::uuid, $13::int, $12::timestamptz FROM variant RETURNING store_id, variant_id, warehouse_id, on_hand
  )
  INSERT INTO stock_movement (store_id, id, variant_id, warehouse_id, delta_on_hand, reason, actor, created_at)
  SELECT store_id, $14::uuid, variant_id, warehouse_id, on_hand, 'count', 'seed', $12::timestamptz FROM level`;

interface Surroundings {
  readonly sql: Sql;
  readonly storeId: string;
  readonly now: Date;
}

const seedProduct = async (
  { sql, storeId, now }: Surroundings,
  warehouse: string,
  { sku, name, category, description, price, stock }: DemoProduct,
): Promise<void> => {
  const categoryId = idOf(storeId, 'category', category);
  await sql.query(SEED_CATEGORY, [storeId, categoryId, category, slugOf(category), now]);
  const ids = { product: idOf(storeId, 'product', sku), variant: idOf(storeId, 'variant', sku) };
  const words = [name, slugOf(name), categoryId, description, category, sku];
  const numbers = [ids.variant, price, warehouse, now, stock, idOf(storeId, 'movement', sku)];
  await sql.query(SEED_PRODUCT, [storeId, ids.product, ...words, ...numbers]);
};

/** `seed <json>`: the demo store with products and stock. Existing rows stay as they are, a sold-down stock included. */
export const seedCommand =
  (database: Database, clock: Clock) =>
  async ([json = '{}']: readonly string[]): Promise<void> => {
    const { store, owner, agents = [], products = [] } = JSON.parse(json) as Partial<DemoShop>;
    if (!store) return;
    const { store_id: storeId, slug, nama, currency, tz } = store;
    const now = clock.now();
    await database.tx(async (tx) => {
      const [claim] = await tx.query<{ store_id: string }>(CLAIM_SLUG, [storeId, slug]);
      if (claim?.store_id !== storeId)
        throw new Error(`The slug "${slug}" belongs to the store ${claim?.store_id}: choose another one.`);
      await tx.query(SEED_STORE, [storeId, slug, nama, currency, tz, owner?.user_id ?? null, now]);
      const staff = agents.map((agent) => [agent, 'cs'] as const);
      await seedMembers(tx, { storeId, now }, [...(owner ? [[owner, 'owner'] as const] : []), ...staff]);
      const warehouse = idOf(storeId, 'warehouse', 'main');
      await tx.query(SEED_WAREHOUSE, [storeId, warehouse, now]);
      for (const product of products) await seedProduct({ sql: tx, storeId, now }, warehouse, product);
    });
  };
