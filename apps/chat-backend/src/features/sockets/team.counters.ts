import { chatRooms } from '@platform/contracts';
import type { Sql } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { ChatEvents } from './socket.api';

/** Unread chats of several teams in one statement, each one range of the partial index of unread chats, at most 1,000 (shown as "999+"). */
export const TEAM_UNREAD = `
  SELECT i.store, i.id AS team,
    (SELECT count(*)::int FROM (SELECT 1 FROM conversations c WHERE c.store_id = i.store AND c.team_id = i.id AND c.unread_count > 0 LIMIT 1000) few) AS unread
  FROM json_to_recordset($1::json) AS i (store text, id text)`;

/** A team whose count of unread chats changed. */
export interface ChangedTeam {
  readonly store: string;
  readonly id: string;
}

/** Tells teams how many of their chats are unread. */
export const tellTeams =
  (sql: Sql, sockets: Emitter<ChatEvents>) =>
  async (teams: readonly ChangedTeam[]): Promise<void> => {
    const rows = await sql.prepared<{ store: string; team: string; unread: number }>('team_unread', TEAM_UNREAD, [
      JSON.stringify(teams),
    ]);
    for (const { store, team, unread } of rows)
      sockets.emit(chatRooms.team(store, team), 'updateTeamchat', { team, unread_chat: unread });
  };
