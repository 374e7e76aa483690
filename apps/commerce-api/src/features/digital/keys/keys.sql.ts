import { listingOf } from '@platform/data';
import { KeysQuery, type LicenseKey } from './keys.dto';

class KeysOfProduct extends KeysQuery {
  product!: string;
}

interface Row extends Pick<LicenseKey, 'id' | 'state' | 'order'> {
  readonly last4: string;
  readonly created_at: Date;
}

export const keyListing = listingOf(KeysOfProduct, {
  from: 'license_key k',
  tenant: 'k.store_id',
  select: `k.id, k.last4, k.state, k.created_at, (SELECT json_build_object('id', o.id, 'number', o.number)
    FROM sales_order o WHERE o.store_id = $1 AND o.id = k.order_id) AS order`,
  sort: { created_at: 'k.created_at' },
  usualSort: '-created_at',
  tie: 'k.id',
  where: { product: 'k.product_id = ?', state: 'k.state = ?' },
  read: ({ id, last4, state, order, created_at }: Row): LicenseKey => ({
    ...{ id, key: `****${last4}`, state, order, created_at: created_at.toISOString() },
  }),
});

/**
 * Adds keys that the product has not: $1 store, $2 product, $3 ids, $4 sealed, $5 hashes, $6 ends, $7 now. In the order of their hashes, so
 * that two who add the same keys do not wait in a circle.
 */
export const ADD = `
  INSERT INTO license_key (store_id, id, product_id, key_enc, key_hash, last4, created_at, updated_at)
  SELECT $1, k.id, $2, k.sealed, k.hash, k.last4, $7, $7
  FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS k(id, sealed, hash, last4) ORDER BY k.hash
  ON CONFLICT (store_id, product_id, key_hash) DO NOTHING RETURNING 1`;
