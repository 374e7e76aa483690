import type { Sql } from '@platform/data';
import type { CopiedRows } from '../../chat/copies/public';
import { FILE_COLUMNS, fileOf, WITH_FILE, type FileColumns, type Files } from '../reply.file';
import type { QuickReply } from './replies.dto';

const STANDING = `
  SELECT r.id, r.shortcut, r.body, f.name AS file_name, ${FILE_COLUMNS} FROM quick_reply r ${WITH_FILE}
  WHERE r.store_id = $1 AND r.id = ANY ($2::uuid[])`;

type Row = Pick<QuickReply, 'id' | 'shortcut' | 'body'> & FileColumns & { readonly file_name: string | null };

/** Quick replies as chat-backend's templates. */
export const replyCopies = (files: Pick<Files, 'urlOf'>): CopiedRows => ({
  standing: async (sql: Sql, storeId, ids) =>
    (await sql.query<Row>(STANDING, [storeId, ids])).map((row) => {
      const { id, shortcut: nama, body: isi, file_name: filename } = row;
      const file = fileOf(files, storeId, row);
      const media = file && { url: file.url, filename };
      return { rowId: id, row: { id, nama, type: file?.type ?? 'chat', isi, ...(media && { media }), aktif: true } };
    }),
  keys: (id) => ({ id }),
});
