import type { Sql } from '@platform/data';
import { sends } from '../../../may-send';
import type { CopiedRows } from '../../chat/copies/public';
import { inForce } from '../settings/public';

const STANDING = `SELECT s.name AS nama, s.timezone AS tz, ${sends('s')} AS sends, g.value AS chat FROM store s
  LEFT JOIN setting g ON g.store_id = s.store_id AND g.name = 'chat' WHERE s.store_id = $1`;

interface Row {
  readonly nama: string;
  readonly tz: string;
  readonly sends: boolean;
  readonly chat: object | null;
}

/** The store itself as chat-backend knows it; it has one row, which is named as the store is. */
export const storeCopies: CopiedRows = {
  standing: async (sql: Sql, storeId) =>
    (await sql.query<Row>(STANDING, [storeId])).map(({ nama, tz, sends, chat }) => {
      const { csat_text, sla_minutes } = inForce('chat', { ...chat }) as { csat_text: string; sla_minutes: number };
      return { rowId: storeId, row: { nama, tz, settings: { csat_text, sla_menit: sla_minutes, sends } } };
    }),
  keys: () => ({}),
};
