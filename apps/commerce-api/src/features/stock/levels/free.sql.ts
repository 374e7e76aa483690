/**
 * How many of the variant `v` of store $1 an order can have: as many as the open warehouse that has most, for an order is taken from one. What
 * a shop tells and what its cart takes are the same.
 */
export const FREE_FOR_ONE = `coalesce((SELECT max(s.on_hand - s.reserved) FROM stock_level s
      JOIN warehouse w ON w.store_id = s.store_id AND w.id = s.warehouse_id AND w.status = 'active'
      WHERE s.store_id = $1 AND s.variant_id = v.id), 0)`;
