import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import type { ChangedRow, ChatCopies } from '../../chat/copies/public';

/** $3 the time, $4 the same in epoch milliseconds. A number that was told as deleted lately has a version to stay above, too. */
const TOUCH = `
  WITH numbers AS (
    SELECT p.contact_id, string_agg(p.phone, ' ' ORDER BY p.phone) AS text, max(s.version) AS told
    FROM contact_phone p LEFT JOIN sync_pending s ON s.store_id = $1 AND s.kind = 'customers' AND s.row_id = p.phone
    WHERE p.store_id = $1 AND p.contact_id = ANY ($2::uuid[]) GROUP BY p.contact_id
  )
  UPDATE contact c SET updated_at = $3, search_text = lower(concat_ws(' ', c.name, c.email, n.text)),
    version = greatest($4::bigint, c.version + 1, n.told + 1)
  FROM numbers n WHERE c.store_id = $1 AND c.id = n.contact_id`;

/** In one order, so that two who change the same contacts wait for each other and not in a circle. */
const LOCK = 'SELECT 1 FROM contact WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE';

const NUMBERS = `
  SELECT p.phone AS "rowId", c.version::text FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id
  WHERE p.store_id = $1 AND p.contact_id = ANY ($2::uuid[])`;

/** To be called by every write to contacts, in its transaction: what they are found by is built anew, and chat-backend hears of it. */
export type Touched = (tx: Sql, by: By, ids: readonly string[]) => Promise<void>;

export const touchedBy =
  (copies: ChatCopies): Touched =>
  async (tx, by, ids) => {
    if (ids.length === 0) return;
    await tx.later('contacts lock', LOCK, [by.storeId, ids]);
    await tx.later('contacts touch', TOUCH, [by.storeId, ids, by.at, by.at.getTime()]);
    const rows = await tx.prepared<ChangedRow>('contacts numbers', NUMBERS, [by.storeId, ids]);
    await copies.changed(tx, by.storeId, 'customers', rows);
  };

/** Numbers that lead to nobody any more, as of this version of who had them. */
export const forgotten = (copies: ChatCopies, tx: Sql, storeId: string, gone: readonly ChangedRow[]): Promise<void> =>
  copies.changed(
    tx,
    storeId,
    'customers',
    gone.map((row) => ({ ...row, deleted: true })),
  );
