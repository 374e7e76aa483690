import type { Sql } from '@platform/data';

const FORGET = `
  UPDATE tracker_chat SET phone = '' WHERE store_id = $1 AND phone IN (
    SELECT phone FROM contact_phone WHERE store_id = $1 AND contact_id = $2)`;

/** Chats that short links began are counted still when their contact is erased, and nobody knows any more who wrote. While the contact is locked. */
export const linksForget = async (tx: Sql, storeId: string, contactId: string): Promise<void> => {
  await tx.query(FORGET, [storeId, contactId]);
};
