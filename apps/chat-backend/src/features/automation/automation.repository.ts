import type { Sql } from '@platform/data';

/** An inbound message that automation may answer, as it stands now. */
export interface OpenQuestion {
  readonly status: number;
  readonly agentId: string | null;
  readonly nohp: string;
  readonly instance: string;
  readonly team: string;
  readonly episode: number;
  readonly escalate: number;
  readonly messageId: string;
  readonly type: string;
  readonly text: string | null;
  readonly caption: string | null;
  readonly filename: string | null;
  readonly latitude: string | null;
  readonly longitude: string | null;
  readonly name: string | null;
  readonly timestamp: number;
}

const QUESTION = `
  SELECT c.status, d.bot_agent_id AS "agentId", c.nohp, c.instance, c.team_id AS team, c.episode, c.status_escalate AS escalate, m.pesan_id AS "messageId", m.type,
    m.pesan AS text, m.caption, m.media->>'filename' AS filename, m.detail->>'latitude' AS latitude, m.detail->>'longitude' AS longitude, k.nama AS name,
    floor(extract(epoch FROM m.waktu))::float8 AS timestamp
  FROM messages m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN devices d ON d.store_id = c.store_id AND d.instance = c.instance
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3`;

export class AutomationRepository {
  constructor(private readonly sql: Sql) {}

  async question(storeId: string, conversationId: string, seq: number): Promise<OpenQuestion | undefined> {
    const [row] = await this.sql.prepared<OpenQuestion>('automation_question', QUESTION, [
      storeId,
      conversationId,
      seq,
    ]);
    return row;
  }
}
