import type { Sql } from '@platform/data';

export const UNWANTED = `SELECT 1 FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id
  WHERE p.store_id = $1 AND p.phone = $2 AND (c.blocked OR c.opted_out_at IS NOT NULL)`;

/** Whether the number is of a contact who must not be written to. */
export const isUnwanted = async (sql: Sql, storeId: string, phone: string): Promise<boolean> =>
  (await sql.query(UNWANTED, [storeId, phone])).length > 0;

const FORGOTTEN = `SELECT 1 FROM sync_pending WHERE store_id = $1 AND kind = 'customers' AND row_id = $2 AND deleted`;

/**
 * Whether the number led to a contact until lately, who was erased and has not come back: what they said of messages is not known any more. It
 * is remembered for longer than a message waits to be sent.
 */
export const isForgotten = async (sql: Sql, storeId: string, phone: string): Promise<boolean> =>
  (await sql.query(FORGOTTEN, [storeId, phone])).length > 0;
