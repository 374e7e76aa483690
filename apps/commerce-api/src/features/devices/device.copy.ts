import type { Sql } from '@platform/data';
import type { CopiedRows } from '../chat/copies/public';
import type { DeviceRow } from './devices.sql';

const STANDING = `SELECT instance_id, name, number, chat_team_id, bot_agent_id FROM device WHERE store_id = $1 AND instance_id = ANY ($2::text[])`;

/** Devices as chat-backend's, which hears of their state from the gateway. */
export const deviceCopies: CopiedRows = {
  standing: async (sql: Sql, storeId, instances) =>
    (await sql.query<Omit<DeviceRow, 'id'>>(STANDING, [storeId, instances])).map((row) => ({
      rowId: row.instance_id,
      row: {
        ...{ instance: row.instance_id, nama: row.name, nohp: row.number ?? undefined },
        ...{ default_team_id: row.chat_team_id ?? undefined, bot_agent_id: row.bot_agent_id ?? undefined },
      },
    })),
  keys: (instance) => ({ instance }),
};
