/** More free keys than this are told as so many: to count them all takes as long as to read them, on every page of a shop. */
const MOST_TOLD = 9_999;

/**
 * SQL of how many licence keys of a product are free, null where it needs none; the store is `$1`. `most`: a page of many products asks for
 * fewer.
 */
export const freeKeys = (product: string, most = MOST_TOLD): string => `
  (SELECT (SELECT count(*)::int FROM (SELECT FROM license_key k
      WHERE k.store_id = $1 AND k.product_id = d.product_id AND k.state = 'free' LIMIT ${most}) free)
    FROM digital_product d JOIN product g ON g.store_id = d.store_id AND g.id = d.product_id AND g.kind = 'digital'
    WHERE d.store_id = $1 AND d.product_id = ${product} AND d.needs_key)`;
