import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Product } from './product.dto';
import { inOptionOrder, variantsAsJson } from '../variants/public';

type Stored = Omit<
  Product,
  'image' | 'price_min' | 'price_max' | 'available' | 'counted' | 'created_at' | 'updated_at'
> &
  Record<'created_at' | 'updated_at', Date>;

/** One product with its variants. */
export const BY_ID = `
  SELECT p.id, p.name, p.slug, p.kind, p.status, p.description, p.options, p.weight_g, p.taxable, p.seo, p.created_at, p.updated_at,
    (SELECT json_build_object('id', c.id, 'name', c.name) FROM category c WHERE c.store_id = $1 AND c.id = p.category_id) AS category,
    (SELECT coalesce(json_agg(json_build_object('id', i.id, 'url', i.url, 'position', i.position) ORDER BY i.position), '[]')
     FROM product_image i WHERE i.store_id = $1 AND i.product_id = p.id) AS images,
    ${variantsAsJson('p.id')} AS variants
  FROM product p WHERE p.store_id = $1 AND p.id = $2`;

/** One statement. Throws `NotFound`, also for a product of another store. */
export const productById = async (sql: Sql, storeId: string, id: string): Promise<Product> => {
  const [row] = await sql.prepared<Stored>('product by id', BY_ID, [storeId, id]);
  if (!row) throw new NotFound('Product not found');
  const variants = inOptionOrder(row.options, row.variants);
  const prices = variants.map(({ price }) => price);
  return {
    ...row,
    image: row.images[0]?.url ?? null,
    price_min: prices.length === 0 ? null : Math.min(...prices),
    price_max: prices.length === 0 ? null : Math.max(...prices),
    available: variants.reduce((sum, { available }) => sum + available, 0),
    counted: variants.length === 0 || variants.some(({ track_stock }) => track_stock),
    variants,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
};
