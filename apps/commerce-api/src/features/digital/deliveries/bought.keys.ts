import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { sealedFor } from '../keys/public';

const OF_LINE = `SELECT id, key_enc FROM license_key
  WHERE store_id = $1 AND order_id = $2 AND order_item_id = $3 AND state = 'assigned' ORDER BY id`;

interface Line {
  readonly storeId: string;
  readonly orderId: string;
  readonly itemId: string;
}

/** The keys that the buyer of a line has, as they are typed. For them alone: neither a log nor the staff sees them. */
export const keysOfLine = async (sql: Sql, box: SecretBox, { storeId, orderId, itemId }: Line): Promise<string[]> => {
  const rows = await sql.prepared<{ id: string; key_enc: string }>('keys of line', OF_LINE, [storeId, orderId, itemId]);
  return rows.map(({ id, key_enc }) => box.open(key_enc, sealedFor(storeId, id)));
};
