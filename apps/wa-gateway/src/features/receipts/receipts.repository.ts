import type { Database } from '@platform/data';
import type { Jid, MessageKey } from '../../engines/engine.types';

// Nobody waits for a tick on what is older than a chat's newest thousand
const INBOUND = `
SELECT id, chat, nullif(participant, '') AS participant FROM message
WHERE instance_id = $1 AND chat = $2 AND NOT from_me AND CASE WHEN $3::text[] IS NULL THEN read_at IS NULL ELSE id = ANY ($3) END
ORDER BY at DESC LIMIT 1000`;

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

  async markRead(instanceId: string, chat: Jid, ids: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE message SET read_at = now() WHERE instance_id = $1 AND chat = $2 AND NOT from_me AND id = ANY ($3) AND read_at IS NULL`,
      [instanceId, chat, ids],
    );
  }
}
