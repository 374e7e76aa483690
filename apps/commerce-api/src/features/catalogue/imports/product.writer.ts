import { isDeepStrictEqual } from 'node:util';
import type { Database, Sql, Transaction } from '@platform/data';
import type { Writer } from '../../../by';
import type { Outcome } from '../../../imports/public';
import { book } from '../../stock/levels/public';
import { productById, ProductWriteService, withoutHtml, type Product, type ProductChange } from '../products/public';
import { productsTouched } from '../search/public';
import { refuse, VariantsService, violation, type ProductOption, type Variant } from '../variants/public';
import { newProductOf, type ProductItem, type VariantItem } from './product.item';

const OF_SKUS = `FROM variant v WHERE v.store_id = $1 AND v.status = 'active' AND v.sku = ANY ($2)`;
const KNOWN = `SELECT DISTINCT v.product_id ${OF_SKUS}`;
const LOCK_PRODUCTS = `SELECT FROM product p WHERE p.store_id = $1 AND p.id IN (SELECT v.product_id ${OF_SKUS}) ORDER BY p.id FOR UPDATE`;
const LOCK_LEVELS = `SELECT FROM stock_level s WHERE s.store_id = $1 AND s.variant_id IN (SELECT v.id ${OF_SKUS})
  ORDER BY s.variant_id, s.warehouse_id FOR UPDATE`;
const MOST_IMAGES = 20;
/** A link only: nothing is fetched from it. */
const ADD_IMAGE = `
  INSERT INTO product_image (store_id, id, product_id, position, url)
  SELECT $1::varchar, uuidv7(), $2::uuid, coalesce((SELECT max(i.position) + 1 FROM product_image i WHERE i.store_id = $1 AND i.product_id = $2), 0), $3::text
  WHERE NOT EXISTS (SELECT FROM product_image i WHERE i.store_id = $1 AND i.product_id = $2 AND i.url = $3)
    AND (SELECT count(*) FROM product_image i WHERE i.store_id = $1 AND i.product_id = $2) < ${MOST_IMAGES} RETURNING id`;

/** The members of `wanted` that `now` has not. */
const changesOf = <T extends object>(now: object, wanted: T): T =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, (now as Record<string, unknown>)[name]),
    ),
  ) as T;

const productChanges = (before: Product, { product, options }: ProductItem): ProductChange => {
  const { weight_g: _weight, description, ...fields } = product;
  const wanted = { ...fields, ...(description === undefined ? {} : { description: withoutHtml(description) }) };
  const merged = before.options.map(({ name, values }): ProductOption => {
    const more = options.find((option) => option.name === name)?.values ?? [];
    return { name, values: [...values, ...more.filter((value) => !values.includes(value))] };
  });
  const now = { ...before, category_id: before.category?.id };
  return changesOf(now, options.length > 0 ? { ...wanted, options: merged } : wanted);
};

const variantChanges = (product: Product, before: Variant, item: VariantItem) => {
  const { stock: _stock, sku: _sku, option_values, ...fields } = item;
  const now = { ...before, weight_g: before.weight_g ?? product.weight_g };
  return changesOf(now, Object.keys(option_values).length > 0 ? { ...fields, option_values } : fields);
};

/** Writes products as files tell them, through the same rules and audit as every other write. */
export class ProductWriter {
  private readonly products: ProductWriteService;
  private readonly variants: VariantsService;

  constructor(database: Pick<Database, 'tx'>) {
    this.products = new ProductWriteService(database);
    this.variants = new VariantsService(database);
  }

  /** Locks what a batch changes in the order in which everybody does: an order of several goods waits for it in no circle. */
  async lock(tx: Sql, { storeId }: Writer, items: readonly ProductItem[]): Promise<void> {
    const variants = items.flatMap((item) => item.variants);
    const skusOf = (some: readonly VariantItem[]): string[] => some.flatMap(({ sku }) => sku ?? []);
    await tx.query(LOCK_PRODUCTS, [storeId, skusOf(variants)]);
    await tx.query(LOCK_LEVELS, [storeId, skusOf(variants.filter(({ stock }) => stock.length > 0))]);
  }

  /** A product none of whose SKUs is known is new. Throws as the services do, and `InvalidInput` for SKUs of several products. */
  async write(tx: Transaction, by: Writer, item: ProductItem, create: boolean): Promise<Outcome> {
    const skus = item.variants.flatMap(({ sku }) => sku ?? []);
    const known = create ? [] : await tx.query<{ product_id: string }>(KNOWN, [by.storeId, skus]);
    if (known.length > 1) refuse([violation('sku', 'unique', 'is that of another product in one of the rows')]);
    const id = known[0]?.product_id;
    if (id !== undefined) return (await this.update(tx, by, id, item)) ? 'updated' : 'unchanged';
    const made = await this.products.createIn(tx, by, newProductOf(item));
    await this.image(tx, by, made.id, item);
    return 'created';
  }

  private async update(tx: Transaction, by: Writer, id: string, item: ProductItem): Promise<boolean> {
    await tx.query('SELECT 1 FROM product WHERE store_id = $1 AND id = $2 FOR UPDATE', [by.storeId, id]);
    const before = await productById(tx, by.storeId, id);
    const change = productChanges(before, item);
    const changed = Object.keys(change).length > 0;
    if (changed) await this.products.changeIn(tx, by, id, change);
    const variants = await this.eachVariant(tx, by, before, item);
    const counted = await this.count(tx, by, before, item);
    const pictured = await this.image(tx, by, id, item);
    return [changed, variants, counted, pictured].includes(true);
  }

  private async eachVariant(tx: Sql, by: Writer, before: Product, { variants }: ProductItem): Promise<boolean> {
    const known = new Map(before.variants.map((variant) => [variant.sku, variant]));
    const fresh = variants.filter(({ sku = '' }) => !known.has(sku));
    const inputs = newProductOf({ rows: [], product: before as never, options: [], variants: fresh }).variants ?? [];
    if (inputs.length > 0) await this.variants.addIn(tx, by, before.id, inputs);
    let changed = inputs.length > 0;
    for (const item of variants) {
      const variant = known.get(item.sku ?? '');
      const change = variant && variantChanges(before, variant, item);
      if (!variant || !change || Object.keys(change).length === 0) continue;
      await this.variants.changeIn(tx, by, variant.id, change);
      changed = true;
    }
    return changed;
  }

  /** Of variants that were there; the others came with theirs. */
  private async count(tx: Sql, by: Writer, { variants }: Product, item: ProductItem): Promise<boolean> {
    const ids = new Map(variants.map(({ sku, id }) => [sku, id]));
    const lines = item.variants.flatMap(({ sku = '', stock }) => {
      const variant_id = ids.get(sku);
      return variant_id
        ? stock.map(({ warehouse_id, on_hand }) => ({ variant_id, warehouse_id, counted: on_hand }))
        : [];
    });
    return lines.length > 0 && (await book(tx, by, { reason: 'count', note: 'import' }, lines)).length > 0;
  }

  private async image(tx: Sql, by: Writer, id: string, { image_url }: ProductItem): Promise<boolean> {
    if (image_url === undefined) return false;
    const added = await tx.query(ADD_IMAGE, [by.storeId, id, image_url]);
    if (added.length > 0) await productsTouched(tx, by, 'p.id = $2', [id]);
    return added.length > 0;
  }
}
