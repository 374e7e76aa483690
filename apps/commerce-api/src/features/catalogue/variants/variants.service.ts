import type { Database, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { demandSeen } from '../../../web/seen';
import { productsTouched } from '../search/public';
import { refuseForeignTags } from './tier.tags';
import { combinationsOf, optionFaults, refuse, variantFaults, variantRefusals, violation } from './variant.rules';
import {
  MOST_VARIANTS,
  type Generate,
  type NewVariant,
  type ProductOption,
  type Variant,
  type VariantChange,
  type VariantInput,
} from './variants.dto';
import { insertVariants, unlessTaken, variantById, variantsOf } from './variants.sql';

/** What the new ones are like. */
export type Generating = Omit<Generate, 'base'> & { readonly base: Omit<VariantInput, 'option_values' | 'stock'> };

interface Parent {
  readonly id: string;
  readonly slug: string;
  readonly options: ProductOption[];
}

const PARENT = `SELECT p.id, p.slug, p.options FROM product p WHERE p.store_id = $1 AND p.status <> 'archived' AND p.id =`;
const OF_VARIANT = `(SELECT v.product_id FROM variant v WHERE v.store_id = $1 AND v.id = $2 AND v.status = 'active')`;

/** The product under a lock, so that its variants are changed one at a time. */
const parentOf = async (tx: Sql, storeId: string, which: '$2' | typeof OF_VARIANT, id: string): Promise<Parent> => {
  const [parent] = await tx.query<Parent>(`${PARENT} ${which} FOR UPDATE OF p`, [storeId, id]);
  if (parent) return parent;
  throw new NotFound(which === '$2' ? 'Product not found' : 'Variant not found');
};

/** What a form shows of it. */
export const editableVariantOf = ({ price, compare_at, sku, barcode }: Variant): object => ({
  price,
  compare_at,
  sku,
  barcode,
});

const told = (tx: Sql, by: Writer, before: Variant | undefined, after: Variant | undefined): Promise<void> =>
  audited(tx, by, { action: 'product.write', type: 'variant', id: (after ?? before)?.id ?? '', before, after });

const added = async (
  tx: Sql,
  by: Writer,
  { id, slug }: Parent,
  variants: Parameters<typeof insertVariants>[3],
): Promise<Variant[]> => {
  const before = await variantsOf(tx, by.storeId, id);
  if (before.length + variants.length > MOST_VARIANTS) throw variantRefusals.tooMany();
  if (variants.length > 0) await insertVariants(tx, by, { id, words: slug }, variants);
  await productsTouched(tx, by, 'p.id = $2', [id]);
  const known = new Set(before.map((variant) => variant.id));
  const made = (await variantsOf(tx, by.storeId, id)).filter((variant) => !known.has(variant.id));
  for (const after of made) await told(tx, by, undefined, after);
  return made;
};

const VALUES = 'UPDATE variant SET option_values = $3, updated_at = $4 WHERE store_id = $1 AND id = $2';

/** What a product on sale has, before there are more: the only one of a product without options is the first combination, with its stock and its orders. */
const begun = async (
  tx: Sql,
  by: Writer,
  { id, options: before }: Parent,
  options: readonly ProductOption[],
): Promise<Variant[]> => {
  const known = await variantsOf(tx, by.storeId, id);
  const [only] = known;
  if (!only || before.length > 0) return known;
  const [option_values = {}] = combinationsOf(options);
  const after = { ...only, option_values };
  await tx.query(VALUES, [by.storeId, only.id, JSON.stringify(option_values), by.at]);
  await told(tx, by, only, after);
  return [after];
};

const UPDATE = `UPDATE variant SET sku = $3, barcode = $4, option_values = $5, price = $6, tiers = $7, compare_at = $8, cost = $9, weight_g = $10,
  track_stock = $11, allow_backorder = $12, updated_at = $13 WHERE store_id = $1 AND id = $2`;

/** Copies of `allow_backorder`, locked in the order of all stock; the CHECK refuses what would be oversold. */
const FOLLOW = `WITH locked AS (
    SELECT s.warehouse_id, s.reserved, s.on_hand FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = $2 ORDER BY s.warehouse_id FOR UPDATE
  ), followed AS (
    UPDATE stock_level s SET allow_backorder = $3, reserved = locked.reserved, on_hand = locked.on_hand FROM locked
    WHERE s.store_id = $1 AND s.variant_id = $2 AND s.warehouse_id = locked.warehouse_id AND ($3 OR locked.reserved <= locked.on_hand)
    RETURNING 1
  ) SELECT (SELECT count(*) FROM locked) = (SELECT count(*) FROM followed) AS all`;

const written = (now: Variant): unknown[] => [
  now.sku,
  now.barcode,
  JSON.stringify(now.option_values),
  now.price,
  JSON.stringify(now.tiers),
  now.compare_at,
  now.cost,
  now.weight_g,
  now.track_stock,
  now.allow_backorder,
];

/** Changes of a product's variants, each in one transaction under the product's lock. */
export class VariantsService {
  constructor(private readonly database: Pick<Database, 'tx'>) {}

  add(by: Writer, { product_id, ...variant }: NewVariant): Promise<Variant> {
    return this.database.tx(async (tx) => (await this.addIn(tx, by, product_id, [variant]))[0] as Variant);
  }

  /** Several in the caller's transaction. */
  async addIn(tx: Sql, by: Writer, productId: string, variants: readonly VariantInput[]): Promise<Variant[]> {
    const parent = await parentOf(tx, by.storeId, '$2', productId);
    refuse(variants.flatMap((variant) => variantFaults('', parent.options, variant)));
    await refuseForeignTags(tx, by.storeId, variants);
    return added(tx, by, parent, variants);
  }

  /** The combinations that are missing; options that the product has not are added to it. */
  generate(by: Writer, { product_id, options, base }: Generating): Promise<Variant[]> {
    refuse(optionFaults(options));
    if (options.reduce((count, { values }) => count * values.length, 1) > MOST_VARIANTS)
      refuse([violation('options', 'max', `must have at most ${MOST_VARIANTS} combinations`)]);
    return this.database.tx(async (tx) => {
      const parent = await parentOf(tx, by.storeId, '$2', product_id);
      const known = await begun(tx, by, parent, options);
      refuse(
        known
          .flatMap(({ option_values }) => variantFaults('', options, { option_values }))
          .slice(0, 1)
          .map(() => violation('options', 'options', 'must have the values of every variant on sale')),
      );
      const keys = new Set(known.map(({ option_values }) => keyOf(options, option_values)));
      const missing = combinationsOf(options).filter((values) => !keys.has(keyOf(options, values)));
      const update = 'UPDATE product SET options = $3 WHERE store_id = $1 AND id = $2';
      await tx.query(update, [by.storeId, parent.id, JSON.stringify(options)]);
      return added(
        tx,
        by,
        parent,
        missing.map((option_values) => ({ ...base, option_values })),
      );
    });
  }

  change(by: Writer, id: string, change: VariantChange): Promise<Variant> {
    return this.database.tx((tx) => this.changeIn(tx, by, id, change));
  }

  /**
   * The same in the caller's transaction, which ends with it when it throws: `version_conflict` too, when it is not any more what a form has
   * `seen` of it.
   */
  async changeIn(tx: Sql, by: Writer, id: string, change: VariantChange, seen?: string): Promise<Variant> {
    const parent = await parentOf(tx, by.storeId, OF_VARIANT, id);
    const before = await variantById(tx, by.storeId, id);
    demandSeen(seen, editableVariantOf(before));
    const now = { ...before, ...change };
    refuse(variantFaults('', parent.options, { ...now, compare_at: now.compare_at ?? undefined }));
    await refuseForeignTags(tx, by.storeId, [change]);
    await unlessTaken(tx.query(UPDATE, [by.storeId, id, ...written(now), by.at]));
    if (now.allow_backorder !== before.allow_backorder) {
      const [followed] = await tx.query<{ all: boolean }>(FOLLOW, [by.storeId, id, now.allow_backorder]);
      if (!followed?.all)
        refuse([violation('allow_backorder', 'reserved', 'must stay while orders have reserved more than there is')]);
    }
    await productsTouched(tx, by, 'p.id = $2', [parent.id]);
    const after = await variantById(tx, by.storeId, id);
    await told(tx, by, before, after);
    return after;
  }

  /** Orders that name it keep it. Throws `last_variant`. */
  archive(by: Writer, id: string): Promise<void> {
    return this.database.tx(async (tx) => {
      const parent = await parentOf(tx, by.storeId, OF_VARIANT, id);
      const all = await variantsOf(tx, by.storeId, parent.id);
      if (all.length === 1) throw variantRefusals.lastVariant();
      await told(
        tx,
        by,
        all.find((variant) => variant.id === id.toLowerCase()),
        undefined,
      );
      const update = `UPDATE variant SET status = 'archived', updated_at = $3 WHERE store_id = $1 AND id = $2`;
      await tx.query(update, [by.storeId, id, by.at]);
      await productsTouched(tx, by, 'p.id = $2', [parent.id]);
    });
  }
}

const keyOf = (options: readonly ProductOption[], values: object): string =>
  JSON.stringify(options.map(({ name }) => (values as Record<string, unknown>)[name]));
