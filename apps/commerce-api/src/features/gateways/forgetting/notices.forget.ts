import type { Sql } from '@platform/data';

/**
 * What makes a notice one tells its payment, by our number or by the provider's. Of one that is not processed yet money depends; one that
 * somebody has processed again at this moment is not waited for: $1 store, $2 contact.
 */
const FORGET = `
  WITH names AS (
    SELECT array_agg('%' || replace(name, '_', '\\_') || '%') AS patterns FROM sales_order o
      JOIN payment p ON p.store_id = o.store_id AND p.order_id = o.id CROSS JOIN unnest(ARRAY[p.invoice_number, p.provider_ref]) AS name
    WHERE o.store_id = $1 AND o.contact_id = $2 AND name <> ''
  ), told AS (
    SELECT e.id FROM webhook_event e CROSS JOIN names
    WHERE e.store_id = $1 AND e.signature_ok AND e.processed_at IS NOT NULL AND e.dedupe_key LIKE ANY (names.patterns)
    FOR UPDATE OF e SKIP LOCKED
  )
  UPDATE webhook_event e SET raw = '', headers = '{}' FROM told WHERE e.store_id = $1 AND e.id = told.id`;

/** Notices of the payments of a contact say no more who paid when the contact is erased. While its orders are still its own. */
export const noticesForget = async (tx: Sql, storeId: string, contactId: string): Promise<void> => {
  await tx.query(FORGET, [storeId, contactId]);
};
