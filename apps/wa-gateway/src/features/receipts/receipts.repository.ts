import type { Database } from '@platform/data';
import type { Jid, MessageKey } from '../../engines/engine.types';

// By every name of the person: what came by the hidden id stays filed by that. Nobody waits for a tick on what is older than the newest thousand
const INBOUND = `
SELECT m.* FROM (
  SELECT $2::text AS chat UNION ALL SELECT lid FROM chat_identity WHERE instance_id = $1 AND pn = $2
  UNION ALL SELECT pn FROM chat_identity WHERE instance_id = $1 AND lid = $2) n CROSS JOIN LATERAL (
  SELECT id, chat, nullif(participant, '') AS participant FROM message
  WHERE instance_id = $1 AND chat = n.chat AND NOT from_me AND CASE WHEN $3::text[] IS NULL THEN read_at IS NULL ELSE id = ANY ($3) END
  ORDER BY at DESC LIMIT 1000) m`;
const MARK_READ = `
UPDATE message SET read_at = now() WHERE instance_id = $1 AND (chat, id) IN (SELECT * FROM unnest($2::text[], $3::text[])) AND NOT from_me AND read_at IS NULL`;

/** Which inbound messages were marked as read through this gateway. */
export class ReceiptsRepository {
  constructor(private readonly database: Database) {}

  /** The named messages of the chat, or those that nobody has marked yet. */
  async inbound(instanceId: string, chat: Jid, ids: readonly string[] | undefined): Promise<MessageKey[]> {
    const rows = await this.database.query<{ id: string; chat: Jid; participant: Jid | null }>(INBOUND, [
      instanceId,
      chat,
      ids ?? null,
    ]);
    return rows.map(({ participant, ...key }) => (participant === null ? key : { ...key, participant }));
  }

  async markRead(instanceId: string, keys: readonly MessageKey[]): Promise<void> {
    await this.database.prepared('message_mark_read', MARK_READ, [
      instanceId,
      keys.map(({ chat }) => chat),
      keys.map(({ id }) => id),
    ]);
  }
}
