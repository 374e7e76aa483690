import type { KeywordRule } from '@platform/contracts';
import type { Sql } from '@platform/data';
import { notifiedList, notify, type Notified } from '../notifications/public';
import { historyRecord, toBot, type ConversationKey } from '../records/public';
import { hearers } from '../tenancy/public';
import type { AutomationPayload } from './automation.payload';
import type { CommerceEventPayload } from './commerce-event.payload';
import type { MessageWords } from './message.words';
import { toldMembers } from './told-members.sql';
import { IS_ANSWERED, IS_BUBBLE, RECENT, UNTOLD, type UntoldLine } from './untold.sql';

/** An inbound message that automation may answer, as it stands now. */
export interface OpenQuestion extends MessageWords {
  readonly status: number;
  readonly agentId: string | null;
  readonly nohp: string;
  /** What hid its number when the chat began. */
  readonly begunAs: string | null;
  readonly instance: string;
  readonly team: string;
  readonly episode: number;
  readonly escalate: number;
  readonly messageId: string;
  /** Name of the stored file. */
  readonly file: string | null;
  readonly name: string | null;
  readonly timestamp: number;
  /** The welcome text, when this message began an episode and the store greets. */
  readonly welcome: string | null;
}

/** By what the bot knows the customer, unless it was asked by another name before. */
export const knownToBot = ({ begunAs, nohp }: OpenQuestion): string => begunAs ?? nohp;

export interface BotTurnQuestion extends OpenQuestion {
  /** What was said in the chat and was never put to the bot, the newest first. */
  readonly untold: readonly UntoldLine[];
  /** People have written since. */
  readonly isPeoples: boolean;
  /** Its chat has ended or rested since, and came back by a later message: people had it meanwhile. */
  readonly hasTurned: boolean;
  /** A person has had its chat since, and has written in it. */
  readonly isAnswered: boolean;
  /** Automation has not decided yet on a message before this one. */
  readonly undecided: boolean;
}

const COLUMNS = `
  c.status, d.bot_agent_id AS "agentId", c.nohp, c.begun_as AS "begunAs", c.instance, c.team_id AS team, c.episode, c.status_escalate AS escalate, m.pesan_id AS "messageId", m.type,
    m.pesan AS text, m.caption, m.media->>'filename' AS filename, m.media->>'name' AS file, m.detail->>'latitude' AS latitude, m.detail->>'longitude' AS longitude, m.detail->>'locationName' AS place, k.nama AS name,
    floor(extract(epoch FROM m.waktu))::float8 AS timestamp,
    (SELECT w.text FROM welcomes w WHERE w.store_id = c.store_id AND w.enabled AND w.text <> '' AND c.turned_seq = m.seq AND (c.turned_from IS NULL OR c.turned_from = 3)) AS welcome`;
const SOURCE = `
  FROM messages m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN devices d ON d.store_id = c.store_id AND d.instance = c.instance
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3`;
const QUESTION = `SELECT ${COLUMNS} ${SOURCE}`;
/** The same, with what the bot was not told of the chat before. */
export const BOT_QUESTION = `${RECENT} SELECT ${COLUMNS}, coalesce(c.turned_seq > m.seq, false) AS "hasTurned", ${IS_ANSWERED} AS "isAnswered", ${UNTOLD} ${SOURCE}`;

const DECIDED = `UPDATE messages SET to_bot = $4 WHERE store_id = $1 AND conversation_id = $2 AND seq = $3`;

/**
 * How far back: what is answered later than this is not waited for, such as one on which nobody can ever decide. What came while this service was
 * away still goes in order.
 */
const NEAR = { messages: 20, minutes: 30 };
const IS_BEHIND = `
  SELECT 1 AS yes FROM messages m JOIN messages r ON r.store_id = m.store_id AND r.conversation_id = m.conversation_id AND r.seq < m.seq AND r.seq >= m.seq - ${NEAR.messages}
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3 AND r.waktu > m.waktu - interval '${NEAR.minutes} minutes'
    AND r.to_bot IN (${toBot.undecided}, ${toBot.answering}) LIMIT 1`;

/** Notes that this message is the one that is greeted; a repeat of it still is, any other waits for `once_per_hours`. */
const CLAIM_WELCOME = `
  UPDATE conversations c SET welcomed_at = m.waktu
  FROM messages m JOIN welcomes w ON w.store_id = m.store_id
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3 AND c.store_id = $1 AND c.id = $2
    AND (c.welcomed_at IS NULL OR c.welcomed_at = m.waktu OR c.welcomed_at <= m.waktu - w.once_per_hours * interval '1 hour')
  RETURNING 1 AS yes`;

/**
 * Notes once that the bot's answer came when people had the chat or have answered in it. No row: the answer was sent or noted
 * before. $1 store  $2 chat  $3 seq of the question  $4 ids of the answer
 */
const DROP = `
  WITH noted AS (
    INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type, catatan)
    SELECT c.store_id, c.id, uuidv7(), c.episode, 'bot_dropped', c.status, c.status, 'bot', m.pesan_id
    FROM conversations c JOIN messages m ON m.store_id = c.store_id AND m.conversation_id = c.id AND m.seq = $3
    WHERE c.store_id = $1 AND c.id = $2
      AND NOT EXISTS (SELECT 1 FROM messages a WHERE a.store_id = c.store_id AND a.instance = c.instance AND a.pesan_id = ANY ($4::text[]))
      AND NOT EXISTS (SELECT 1 FROM chat_histories h WHERE h.store_id = c.store_id AND h.conversation_id = c.id AND h.event = 'bot_dropped' AND h.catatan = m.pesan_id)
    RETURNING *)
  SELECT ${historyRecord('n', 's')} AS history FROM noted n JOIN stores s ON s.store_id = n.store_id`;

/**
 * The team of a chat that the bot leaves to people, as long as it is open. Under the lock of the chat, which notes up to where they know:
 * they do until the chat turns or the bot speaks again. $1 store  $2 chat  $3 seq of the question  $4 title  $5 whether it is noted
 */
export const ALARM = `
  WITH due AS MATERIALIZED (
    UPDATE conversations c SET alarmed_seq = CASE WHEN $5 THEN c.last_seq ELSE c.alarmed_seq END
    WHERE c.store_id = $1 AND c.id = $2 AND c.status = 0 AND (c.alarmed_seq IS NULL OR c.alarmed_seq < c.turned_seq
      OR EXISTS (SELECT 1 FROM messages r WHERE r.store_id = c.store_id AND r.conversation_id = c.id AND r.seq > c.alarmed_seq AND ${IS_BUBBLE}))
    RETURNING c.*),
  notified AS (${notify(`
    SELECT c.store_id, t.user_id, 'new_chat' AS type, $4 AS judul, coalesce(k.nama, c.nohp) || coalesce(': ' || coalesce(m.pesan, m.caption), '') AS isi,
      c.id AS conversation_id, m.pesan_id, 1 AS count
    FROM due c JOIN messages m ON m.store_id = c.store_id AND m.conversation_id = c.id AND m.seq = $3
    JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id CROSS JOIN LATERAL (${hearers('c.store_id', 'c.team_id')}) t`)})
  SELECT ${notifiedList('notified', 'c', 's')} AS notified, (SELECT t.payload FROM (${toldMembers('notified', 'due', 'customers')}) t) AS told
  FROM due c JOIN stores s ON s.store_id = c.store_id`;

/** Who was told that the bot will not answer, and what commerce-api is to tell them. */
export interface Alarmed {
  readonly notified: readonly Notified[] | null;
  readonly told: CommerceEventPayload | null;
}

const RULES = `SELECT position, match, keywords, reply, instances, aktif AS active FROM rules WHERE store_id = $1 AND aktif`;
const SENT = `SELECT 1 AS yes FROM messages WHERE store_id = $1 AND instance = $2 AND pesan_id = $3`;

export interface RuleReply {
  readonly text?: string;
  readonly url?: string;
  readonly type?: string;
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

  async botQuestion({ storeId, conversationId, seq }: AutomationPayload): Promise<BotTurnQuestion | undefined> {
    const values = [storeId, conversationId, seq];
    return (await this.sql.prepared<BotTurnQuestion>('automation_bot_question', BOT_QUESTION, values))[0];
  }

  /** Notes what became of a customer's message at the bot, which is told of those it was not asked, and of no other twice. */
  async decided(
    { storeId, conversationId, seq }: AutomationPayload,
    what: keyof typeof toBot,
    sql: Sql = this.sql,
  ): Promise<void> {
    await sql.prepared('automation_decided', DECIDED, [storeId, conversationId, seq, toBot[what]]);
  }

  /** Whether a message before this one is still to be decided on, or has an answer that waits. */
  async isBehind({ storeId, conversationId, seq }: AutomationPayload): Promise<boolean> {
    return (await this.sql.prepared('automation_behind', IS_BEHIND, [storeId, conversationId, seq])).length > 0;
  }

  /** Whether a message with this id, which automation would write, is there already. */
  async wasSent(storeId: string, instance: string, pesanId: string): Promise<boolean> {
    return (await this.sql.prepared('automation_sent', SENT, [storeId, instance, pesanId])).length > 0;
  }

  /** The history record of an answer that was dropped just now. */
  async drop(
    { storeId, conversationId }: ConversationKey,
    seq: number,
    ids: readonly string[],
  ): Promise<object | null> {
    const values = [storeId, conversationId, seq, ids];
    return (await this.sql.prepared<{ history: object }>('automation_drop', DROP, values))[0]?.history ?? null;
  }

  /** `isNoted`: those who hear of it hear of nothing more until the chat turns or the bot speaks again. */
  async alarm(
    tx: Sql,
    { storeId, conversationId, seq }: AutomationPayload,
    { judul, isNoted }: { readonly judul: string; readonly isNoted: boolean },
  ): Promise<Alarmed> {
    const values = [storeId, conversationId, seq, judul, isNoted];
    const [alarmed] = await tx.prepared<Alarmed>('automation_alarm', ALARM, values);
    return alarmed ?? { notified: null, told: null };
  }

  async claimWelcome({ storeId, conversationId }: ConversationKey, seq: number): Promise<boolean> {
    return (await this.sql.prepared('automation_welcome', CLAIM_WELCOME, [storeId, conversationId, seq])).length > 0;
  }

  async rules(storeId: string): Promise<StoredRule[]> {
    return this.sql.prepared<StoredRule>('automation_rules', RULES, [storeId]);
  }
}
