import type { Sql } from '@platform/data';
import type { Logger } from '@platform/runtime';
import { parseChatId } from '../records/public';
import type { Asked } from './chat.announcer';

const ASKED = `SELECT e.to_team AS "toTeam", e.to_user AS "toUser" FROM escalations e WHERE e.store_id = $1 AND e.conversation_id = $2`;

/** Who is asked for help with a chat. A lookup that fails tells nobody: their next `sync` shows what they missed. */
export const askedLookup =
  (sql: Sql, logger: Logger) =>
  async (chatId: string): Promise<Asked | undefined> => {
    const { storeId, conversationId } = parseChatId(chatId) ?? {};
    const rows = await sql.prepared<Asked>('socket_asked', ASKED, [storeId, conversationId]).catch((cause: unknown) => {
      logger.warn('the user asked for help with a chat was not notified of a change', { chatId, cause: String(cause) });
      return [];
    });
    return rows[0];
  };
