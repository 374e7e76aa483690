import type { Sql } from '@platform/data';
import type { CopiedRows } from '../../chat/copies/public';
import { FILE_COLUMNS, fileOf, WITH_FILE, type FileColumns, type Files } from '../reply.file';

const STANDING = `
  SELECT r.id, r.position, r.match, r.keywords, r.reply_text, r.active, ${FILE_COLUMNS},
    ARRAY(SELECT d.instance_id FROM device d WHERE d.store_id = r.store_id AND d.id = ANY (r.device_ids) ORDER BY d.instance_id) AS instances
  FROM chatbot_rule r ${WITH_FILE} WHERE r.store_id = $1 AND r.id = ANY ($2::uuid[])`;

interface Row extends FileColumns {
  readonly id: string;
  readonly position: number;
  readonly match: string;
  readonly keywords: readonly string[];
  readonly reply_text: string | null;
  readonly active: boolean;
  readonly instances: readonly string[];
}

/** Keyword rules as chat-backend's, which decides by them. */
export const ruleCopies = (files: Pick<Files, 'urlOf'>): CopiedRows => ({
  standing: async (sql: Sql, storeId, ids) =>
    (await sql.query<Row>(STANDING, [storeId, ids])).map((row) => {
      const { id, position, match, keywords, instances, active: aktif } = row;
      const reply = { text: row.reply_text ?? undefined, ...fileOf(files, storeId, row) };
      return { rowId: id, row: { id, position, match, keywords, reply, instances, aktif } };
    }),
  keys: (id) => ({ id }),
});
