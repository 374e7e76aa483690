import type { Sql } from '@platform/data';
import type { By } from '../../../by';

/**
 * To be called by every write to a name, category, SKU, barcode, option, price or picture of products: what they are found and sorted by is built anew, and the
 * bot learns that they have changed. `condition` names them, with `p` for the product and `$2` for the value.
 */
export const productsTouched = async (
  tx: Sql,
  { storeId, at }: By,
  condition: string,
  [value]: [unknown],
): Promise<void> => {
  await tx.query(
    `UPDATE product p SET updated_at = $3, search_text = lower(concat_ws(' ', p.name,
      (SELECT c.name FROM category c WHERE c.store_id = $1 AND c.id = p.category_id),
      (SELECT string_agg(concat_ws(' ', v.sku, v.barcode), ' ' ORDER BY v.id) FROM variant v
       WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active'),
      (SELECT string_agg(DISTINCT o.value COLLATE "C", ' ') FROM variant v, jsonb_each_text(v.option_values) o
       WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active'))),
      price_min = (SELECT min(v.price) FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active')
    WHERE p.store_id = $1 AND ${condition}`,
    [storeId, value, at],
  );
};
