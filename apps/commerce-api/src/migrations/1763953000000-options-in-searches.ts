import { ForwardMigration, portions } from '@platform/data';

const WORDS = `lower(concat_ws(' ', product.name,
  (SELECT c.name FROM category c WHERE c.store_id = product.store_id AND c.id = product.category_id),
  (SELECT string_agg(concat_ws(' ', v.sku, v.barcode), ' ' ORDER BY v.id) FROM variant v
   WHERE v.store_id = product.store_id AND v.product_id = product.id AND v.status = 'active'),
  (SELECT string_agg(DISTINCT o.value COLLATE "C", ' ') FROM variant v, jsonb_each_text(v.option_values) o
   WHERE v.store_id = product.store_id AND v.product_id = product.id AND v.status = 'active')))`;

/** Products are found by what one can choose of them, a colour or a size. */
export class OptionsInSearches1763953000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `COMMENT ON COLUMN product.search_text IS 'lower case name, category, SKUs, barcodes and values of options; rebuilt by every write to one of them'`,
    portions({ table: 'product', where: `search_text IS DISTINCT FROM ${WORDS}`, set: `search_text = ${WORDS}` }),
  ];
}
