import type { SecretBox } from '@platform/auth';
import type { Database, Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { giveLargestPlan } from '../../billing/subscriptions/public';
import { slugWords as slugOf } from '../../catalogue/slugs/public';
import type { ChatCopies } from '../../chat/copies/public';
import { seedMembers } from '../../identity/access/public';
import { putBytes, type ObjectStore } from '../../media/storage/public';
import { seedTemplates } from '../../messages/public';
import type { KycRows } from '../../verification/kyc/public';
import { DAY_MS, later, LocalTime, type Scene, type Staff } from './scene';
import type { SeedWallet } from '../../wallet/public';
import { idOf } from '../shop/public';
import { seedChatSide, type ChatSideParts } from './chat-side';
import type { DemoProduct, DemoShop } from './demo-shop.types';
import { addDownloads } from './download.rows';
import { pastOf, tellChat, warehousesOf } from './past';
import { identityOf, openedAt, premisesOf, STORE_TELLS } from './premises';

/** Of its plan, which is paid for a year: nobody who tries the shop is to find it unpaid soon. */
const MOST_DAYS_PAID = 30;

/** Claims the slug for the store, and answers its owner: the first store that claimed it. */
const CLAIM_SLUG = `
  INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('slug', $2, $1::text, $1::text)
  ON CONFLICT (kind, value) DO UPDATE SET kind = 'slug' RETURNING store_id`;

const SEED_STORE = `
  INSERT INTO store (store_id, slug, name, currency, timezone, owner_user_id, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING RETURNING store_id`;

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
  { sku, name, category, description, price, stock }: DemoProduct,
): Promise<void> => {
  const categoryId = idOf(storeId, 'category', category);
  await sql.query(SEED_CATEGORY, [storeId, categoryId, category, slugOf(category), now]);
  const ids = { product: idOf(storeId, 'product', sku), variant: idOf(storeId, 'variant', sku) };
  const words = [name, slugOf(name), categoryId, description, category, sku];
  const numbers = [ids.variant, price, warehousesOf(storeId).main, now, stock, idOf(storeId, 'movement', sku)];
  await sql.query(SEED_PRODUCT, [storeId, ids.product, ...words, ...numbers]);
};

const seedGiven = async (at: Surroundings, products: readonly DemoProduct[]): Promise<void> => {
  await at.sql.query(SEED_WAREHOUSE, [at.storeId, warehousesOf(at.storeId).main, at.now]);
  for (const product of products) await seedProduct(at, product);
};

export interface SeedParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly media: { readonly store: Pick<ObjectStore, 'incoming' | 'put'>; readonly library: ChatSideParts['files'] };
  readonly copies: ChatCopies;
  readonly identities: Pick<KycRows, 'seed'>;
  /** Seals licence keys. */
  readonly box: SecretBox;
  readonly seedWallet: SeedWallet;
}

const sceneOf = ({ store, owner, agents = [], days = 0 }: DemoShop, now: Date): Scene | undefined => {
  if (!owner || days < 1) return undefined;
  const member = ({ user_id: id, nama, email }: NonNullable<DemoShop['owner']>): Staff => ({
    id,
    name: nama ?? email ?? id,
  });
  const staff: Scene['staff'] = [member(owner), ...agents.map(member)];
  return { storeId: store.store_id, currency: store.currency, clocks: new LocalTime(store.tz), now, days, staff };
};

/** A new store's past, whose files are kept before any row names them; they are the same when this is done again. */
const makePast = async (
  { media, box }: SeedParts,
  scene: Scene,
  given: readonly DemoProduct[],
): Promise<ReturnType<typeof pastOf>> => {
  const urlOf = (key: string): string => media.library.urlOf(scene.storeId, key);
  const past = pastOf(scene, warehousesOf(scene.storeId), given, urlOf);
  const downloads = addDownloads(past.rows, scene, box);
  for (const file of [...past.pictures, ...downloads]) await putBytes(media.store, file);
  return past;
};

const seedPast = async (
  tx: Sql,
  { copies, identities, seedWallet }: SeedParts,
  scene: Scene,
  past: ReturnType<typeof pastOf>,
): Promise<void> => {
  past.rows.add('warehouse', ...premisesOf(scene, warehousesOf(scene.storeId)));
  await tx.query(STORE_TELLS.text, STORE_TELLS.values(scene));
  await identities.seed(tx, { storeId: scene.storeId, at: openedAt(scene) }, identityOf(scene));
  await past.rows.write(tx);
  const since = later(scene.now, -Math.min(scene.days, MOST_DAYS_PAID) * DAY_MS);
  await giveLargestPlan(tx, { storeId: scene.storeId, actor: 'seed', at: since });
  const { storeId, now, currency } = scene;
  await seedTemplates(tx, copies, { storeId, at: now });
  await seedWallet(tx, { storeId, actor: 'seed', at: now }, idOf(storeId, 'bank_account', 'payout'), currency);
  await tellChat(tx, copies, past, scene);
};

/**
 * `seed <json>`: the demo store with its products and, when it is new, with a past of as many days as it is given. All of it is one
 * transaction. Existing rows stay as they are, a sold-down stock included; so a store that is there gets no past.
 */
export const seedCommand =
  (parts: SeedParts) =>
  async ([json = '{}']: readonly string[]): Promise<void> => {
    const shop = JSON.parse(json) as Partial<DemoShop>;
    const { store, owner, agents = [], products = [] } = shop;
    if (!store) return;
    const { store_id: storeId, slug, nama, currency, tz } = store;
    const now = parts.clock.now();
    const scene = sceneOf({ ...shop, store }, now);
    const known = await parts.database.query('SELECT 1 FROM store WHERE store_id = $1', [storeId]);
    const past = scene && known.length === 0 ? await makePast(parts, scene, products) : undefined;
    await parts.database.tx(async (tx) => {
      const [claim] = await tx.query<{ store_id: string }>(CLAIM_SLUG, [storeId, slug]);
      if (claim?.store_id !== storeId)
        throw new Error(`The slug "${slug}" belongs to the store ${claim?.store_id}: choose another one.`);
      const made = await tx.query(SEED_STORE, [storeId, slug, nama, currency, tz, owner?.user_id ?? null, now]);
      const staff = agents.map((agent) => [agent, 'cs'] as const);
      await seedMembers(tx, { storeId, now }, [...(owner ? [[owner, 'owner'] as const] : []), ...staff]);
      if (made.length > 0 && scene && past) await seedPast(tx, parts, scene, past);
      else await seedGiven({ sql: tx, storeId, now }, products);
      await seedChatSide(tx, { copies: parts.copies, files: parts.media.library }, now, shop);
    });
  };
