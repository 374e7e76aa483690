import type { Sql } from '@platform/data';

/** In the order of the key: of two who erase a contact none waits for the other in a circle. */
const FORGET = `
  UPDATE checkout_session SET buyer = NULL, address = NULL WHERE store_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM checkout_session WHERE store_id = $1 AND state <> 'placed'
      AND buyer ->> 'phone' IN (SELECT phone FROM contact_phone WHERE store_id = $1 AND contact_id = $2)
    ORDER BY id FOR UPDATE))`;

/**
 * Carts stay when the contact of their buyer is erased, without who was to get them: nobody can be reminded of them any more. Before all
 * other locks of the transaction, as whoever places an order locks its cart first.
 */
export const cartsForget = async (tx: Sql, storeId: string, contactId: string): Promise<void> => {
  await tx.query(FORGET, [storeId, contactId]);
};
