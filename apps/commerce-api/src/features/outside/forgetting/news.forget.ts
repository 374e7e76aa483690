import type { Sql } from '@platform/data';

/** By what somebody is reached, as a store and its orders know it: $1 store, $2 contact. */
const REACHED = `
  SELECT DISTINCT said.by FROM (
    SELECT phone FROM contact_phone WHERE store_id = $1 AND contact_id = $2
    UNION ALL SELECT email FROM contact WHERE store_id = $1 AND id = $2
    UNION ALL SELECT unnest(ARRAY[o.buyer ->> 'phone', o.buyer ->> 'email', o.address ->> 'phone']) FROM sales_order o
      WHERE o.store_id = $1 AND o.contact_id = $2) AS said(by)
  WHERE said.by <> ''`;
/** Whole texts of their JSON: $2 what is not said any more, with its quotes. */
const FORGET = `UPDATE webhook_delivery SET body = replace(body, $2, '"***"') WHERE store_id = $1 AND state = 'waiting' AND strpos(body, $2) > 0`;

/** News that wait for their receivers tell no more how a contact is reached when it is erased. While its orders are still its own. */
export const newsForget = async (tx: Sql, storeId: string, contactId: string): Promise<void> => {
  for (const { by } of await tx.query<{ by: string }>(REACHED, [storeId, contactId]))
    await tx.query(FORGET, [storeId, JSON.stringify(by)]);
};
