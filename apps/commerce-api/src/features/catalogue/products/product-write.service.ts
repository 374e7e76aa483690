import type { Database, Sql } from '@platform/data';
import { isUniqueViolation } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { copyDigital } from '../../digital/rights/public';
import { productsTouched } from '../search/public';
import { slugOf } from '../slugs/public';
import {
  freshSku,
  insertVariants,
  optionFaults,
  refuse,
  refuseForeignTags,
  variantFaults,
  violation,
} from '../variants/public';
import type { NewProduct, Product, ProductChange } from './product.dto';
import { editableOf, newProductFaults, productRefusals, publishingFaults, withoutHtml } from './product.rules';
import { productById } from './product.sql';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';

const INSERT = `INSERT INTO product (store_id, id, kind, name, slug, status, category_id, description, options, weight_g, taxable, seo, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) ON CONFLICT (store_id, slug) DO NOTHING RETURNING id`;
const UPDATE = `UPDATE product SET kind = $3, name = $4, slug = $5, status = $6, category_id = $7, description = $8, options = $9, weight_g = $10,
  taxable = $11, seo = $12, updated_at = $13 WHERE store_id = $1 AND id = $2`;

type Row = Pick<
  Product,
  'kind' | 'name' | 'slug' | 'status' | 'description' | 'options' | 'weight_g' | 'taxable' | 'seo'
> & {
  readonly category_id: string | null;
};

const valuesOf = ({ storeId, at }: By, id: string, row: Row): unknown[] => {
  const { kind, name, slug, status, category_id, description, options, weight_g, taxable, seo } = row;
  const texts = [storeId, id, kind, name, slug, status, category_id, withoutHtml(description)];
  return [...texts, JSON.stringify(options), weight_g, taxable, seo && JSON.stringify(seo), at];
};

/** Kept until the product is there: a category that is deleted meanwhile waits, and finds it. */
const refuseForeignCategory = async (tx: Sql, storeId: string, id: string | null = null): Promise<void> => {
  if (id === null) return;
  const found = await tx.query('SELECT 1 FROM category WHERE store_id = $1 AND id = $2 FOR KEY SHARE', [storeId, id]);
  if (found.length === 0) throw refusals.notHere('category_id', 'is not a category of this store');
};

/** Variants and pictures have writes of their own. */
const withoutLists = ({ variants: _v, images: _i, image: _first, updated_at: _at, ...row }: Product): object => row;

/** Products as people write them. Every write is one transaction, with as many statements for one variant as for two hundred. */
export class ProductWriteService {
  constructor(private readonly database: Pick<Database, 'tx'>) {}

  /** Throws `slug_taken`, `sku_taken`, and `InvalidInput` for what its rules refuse. */
  create(by: Writer, product: NewProduct): Promise<Product> {
    return this.database.tx((tx) => this.createIn(tx, by, product));
  }

  /** The same in the caller's transaction. */
  async createIn(tx: Sql, by: Writer, product: NewProduct): Promise<Product> {
    refuse(newProductFaults(product));
    const { price = 0, variants = [{ price }], status = 'draft', kind = 'physical', weight_g = 0 } = product;
    if (status === 'active')
      refuse(publishingFaults({ kind, weight_g, variants: variants as unknown as Product['variants'] }));
    await refuseForeignCategory(tx, by.storeId, product.category_id);
    await refuseForeignTags(tx, by.storeId, variants, (n) => `variants[${n}].`);
    const id = uuidv7();
    const { category_id = null, description = '', options = [], taxable = true, seo = null, name } = product;
    const row = { ...{ kind, name, status, category_id, description, options, weight_g, taxable, seo } };
    const slug = await this.insert(tx, by, id, row, product.slug === undefined ? slugOf(name, id) : [product.slug]);
    await insertVariants(tx, by, { id, words: slug }, variants);
    await productsTouched(tx, by, 'p.id = $2', [id]);
    return this.told(tx, by, undefined, await productById(tx, by.storeId, id));
  }

  change(by: Writer, id: string, change: ProductChange): Promise<Product> {
    return this.database.tx((tx) => this.changeIn(tx, by, id, change));
  }

  /**
   * The same in the caller's transaction, which ends with it when it throws; `version_conflict` when it is not what a form has `seen` any
   * more.
   */
  async changeIn(tx: Sql, by: Writer, id: string, change: ProductChange, seen?: string): Promise<Product> {
    const before = await this.locked(tx, by.storeId, id);
    demandSeen(seen, editableOf(before));
    await refuseForeignCategory(tx, by.storeId, change.category_id);
    const now = { ...before, category_id: before.category?.id ?? null, ...change };
    if (change.options) refuse([...optionFaults(change.options), ...this.unfit(change.options, before)]);
    if (now.status === 'active') refuse(publishingFaults(now));
    try {
      await tx.query(UPDATE, valuesOf(by, id, now));
    } catch (error) {
      throw isUniqueViolation(error, 'product_store_id_slug_key') ? productRefusals.slugTaken() : error;
    }
    await productsTouched(tx, by, 'p.id = $2', [id]);
    return this.told(tx, by, before, await productById(tx, by.storeId, id));
  }

  /** Orders that name it keep it. */
  archive(by: Writer, id: string): Promise<void> {
    return this.change(by, id, { status: 'archived' }).then(() => undefined);
  }

  /** A draft of the same without stock, under SKUs of its own. */
  duplicate(by: Writer, id: string): Promise<Product> {
    return this.database.tx(async (tx) => {
      const original = await this.locked(tx, by.storeId, id);
      const copy = uuidv7();
      const row = { ...original, status: 'draft' as const, category_id: original.category?.id ?? null };
      const slug = await this.insert(tx, by, copy, row, await this.copySlugs(tx, by.storeId, original.slug));
      const variants = original.variants.map((variant) => ({
        ...{ sku: freshSku(variant.sku), barcode: variant.barcode ?? undefined, option_values: variant.option_values },
        ...{
          price: variant.price,
          tiers: variant.tiers,
          compare_at: variant.compare_at ?? undefined,
          cost: variant.cost ?? undefined,
        },
        ...{
          weight_g: variant.weight_g ?? undefined,
          track_stock: variant.track_stock,
          allow_backorder: variant.allow_backorder,
        },
      }));
      if (variants.length > 0) await insertVariants(tx, by, { id: copy, words: slug }, variants);
      await tx.query(COPY_IMAGES, [by.storeId, id, copy]);
      if (original.kind === 'digital') await copyDigital(tx, by, id, copy);
      await productsTouched(tx, by, 'p.id = $2', [copy]);
      return this.told(tx, by, undefined, await productById(tx, by.storeId, copy));
    });
  }

  private async told(tx: Sql, by: Writer, before: Product | undefined, after: Product): Promise<Product> {
    const of = { action: 'product.write', type: 'product', id: after.id };
    await audited(tx, by, { ...of, before: before && withoutLists(before), after: withoutLists(after) });
    return after;
  }

  /** The first slug that nobody has. */
  private async insert(tx: Sql, by: By, id: string, row: Omit<Row, 'slug'>, slugs: readonly string[]): Promise<string> {
    for (const slug of slugs) if ((await tx.query(INSERT, valuesOf(by, id, { ...row, slug }))).length > 0) return slug;
    throw productRefusals.slugTaken();
  }

  private async locked(tx: Sql, storeId: string, id: string): Promise<Product> {
    const lock = 'SELECT 1 FROM product WHERE store_id = $1 AND id = $2 FOR UPDATE';
    if ((await tx.query(lock, [storeId, id])).length === 0) throw new NotFound('Product not found');
    return productById(tx, storeId, id);
  }

  private unfit(options: Product['options'], { variants }: Product) {
    const unfit = variants.some(({ option_values }) => variantFaults('', options, { option_values }).length > 0);
    return unfit ? [violation('options', 'options', 'must have the values of every variant on sale')] : [];
  }

  /** `kaos-copy-1`, or the next number that is free, or another when somebody copies at the same time. */
  private async copySlugs(tx: Sql, storeId: string, slug: string): Promise<string[]> {
    const base = `${slug.replace(/-copy-\d+$/, '').slice(0, 48)}-copy-`;
    const taken = `SELECT slug FROM product WHERE store_id = $1 AND slug LIKE $2 || '%'`;
    const rows = await tx.query<{ slug: string }>(taken, [storeId, base]);
    const numbers = rows.map((row) => Number(/^\d{1,6}$/.exec(row.slug.slice(base.length))?.[0] ?? 0));
    const next = Math.max(0, ...numbers) + 1;
    return Array.from({ length: 5 }, (_, tries) => `${base}${next + tries}`);
  }
}

/** The same files under other rows. */
const COPY_IMAGES = `
  WITH copied AS (
    INSERT INTO product_image (store_id, id, product_id, position, url, media_id)
    SELECT i.store_id, uuidv7(), $3::uuid, i.position, i.url, i.media_id FROM product_image i WHERE i.store_id = $1 AND i.product_id = $2
    RETURNING media_id
  ) UPDATE media m SET refs = m.refs + c.refs FROM (SELECT media_id, count(*)::int AS refs FROM copied WHERE media_id IS NOT NULL GROUP BY 1) c
  WHERE m.store_id = $1 AND m.id = c.media_id`;
