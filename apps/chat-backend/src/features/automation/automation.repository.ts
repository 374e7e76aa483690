import type { KeywordRule } from '@platform/contracts';
import type { Sql } from '@platform/data';
import type { ConversationKey } from '../records/public-id';

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
  /** The welcome text, when this message began an episode and the store greets. */
  readonly welcome: string | null;
}

const QUESTION = `
  SELECT c.status, d.bot_agent_id AS "agentId", c.nohp, c.instance, c.team_id AS team, c.episode, c.status_escalate AS escalate, m.pesan_id AS "messageId", m.type,
    m.pesan AS text, m.caption, m.media->>'filename' AS filename, m.detail->>'latitude' AS latitude, m.detail->>'longitude' AS longitude, k.nama AS name,
    floor(extract(epoch FROM m.waktu))::float8 AS timestamp,
    (SELECT w.text FROM welcomes w WHERE w.store_id = c.store_id AND w.enabled AND w.text <> '' AND c.turned_seq = m.seq AND (c.turned_from IS NULL OR c.turned_from = 3)) AS welcome
  FROM messages m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN devices d ON d.store_id = c.store_id AND d.instance = c.instance
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3`;

/** Notes that this message is the one that is greeted; the same message again is still the one, any other waits for `once_per_hours`. */
const CLAIM_WELCOME = `
  UPDATE conversations c SET welcomed_at = m.waktu
  FROM messages m JOIN welcomes w ON w.store_id = m.store_id
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3 AND c.store_id = $1 AND c.id = $2
    AND (c.welcomed_at IS NULL OR c.welcomed_at = m.waktu OR c.welcomed_at <= m.waktu - w.once_per_hours * interval '1 hour')
  RETURNING 1 AS yes`;

const RULES = `SELECT position, match, keywords, reply, instances, aktif AS active FROM rules WHERE store_id = $1 AND aktif`;
const SENT = `SELECT 1 AS yes FROM messages WHERE store_id = $1 AND instance = $2 AND pesan_id = $3`;

export interface RuleReply {
  readonly text?: string;
  readonly url?: string;
}

export interface StoredRule extends KeywordRule {
  readonly reply: RuleReply;
}

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

  /** Whether a message with this id, which automation would write, is there already. */
  async wasSent(storeId: string, instance: string, pesanId: string): Promise<boolean> {
    return (await this.sql.prepared('automation_sent', SENT, [storeId, instance, pesanId])).length > 0;
  }

  async claimWelcome({ storeId, conversationId }: ConversationKey, seq: number): Promise<boolean> {
    return (await this.sql.prepared('automation_welcome', CLAIM_WELCOME, [storeId, conversationId, seq])).length > 0;
  }

  async rules(storeId: string): Promise<StoredRule[]> {
    return this.sql.prepared<StoredRule>('automation_rules', RULES, [storeId]);
  }
}
