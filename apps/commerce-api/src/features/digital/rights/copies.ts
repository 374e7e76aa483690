import type { Sql } from '@platform/data';
import type { By } from '../../../by';

/** $1 store, $2 product, $3 its copy, $4 now. */
const COPY = `
  WITH terms AS (
    INSERT INTO digital_product (store_id, product_id, max_downloads, valid_days, needs_key, created_at, updated_at)
    SELECT store_id, $3, max_downloads, valid_days, needs_key, $4, $4 FROM digital_product WHERE store_id = $1 AND product_id = $2
  ), copied AS (
    INSERT INTO digital_asset (store_id, id, product_id, media_id, created_at)
    SELECT store_id, uuidv7(), $3, media_id, $4 FROM digital_asset WHERE store_id = $1 AND product_id = $2 AND removed_at IS NULL ORDER BY id
    RETURNING media_id
  )
  UPDATE media m SET refs = m.refs + 1 FROM copied WHERE m.store_id = $1 AND m.id = copied.media_id`;

/** A copy of a product is delivered as the product is, with the same files; keys are not copied. In the caller's transaction. */
export const copyDigital = async (tx: Sql, { storeId, at }: By, from: string, to: string): Promise<void> => {
  await tx.query(COPY, [storeId, from, to, at]);
};
