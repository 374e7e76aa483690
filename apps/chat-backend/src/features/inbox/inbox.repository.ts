import type { Sql } from '@platform/data';
import type { Searches } from '../../searches';
import {
  customerRecord,
  deviceRecord,
  historyList,
  inboxRecord,
  listRecord,
  orderRecord,
  warehouseRecord,
  type ConversationKey,
} from '../records/public';
import { queueReceipts } from '../receipts/public';
import { answerable, knownBy, visible } from '../tenancy/public';

/** A chat as a caller names it, inside the limits of what the caller may see. */
export interface VisibleChat {
  readonly storeId: string;
  readonly instance: string;
  readonly nohp: string;
  readonly conversationId: string | undefined;
  /** What its caller may see: `sightOf`. */
  readonly sight: readonly string[] | null;
  readonly groups: boolean;
}

/** $1..$6 = VisibleChat. One row at most: (store_id, instance, nohp) is unique. */
const CHAT = `c.store_id = $1 AND c.instance = $2 AND c.nohp = ${knownBy('$1', '$2', '$3', '$4')} AND ($4::uuid IS NULL OR c.id = $4::uuid) AND ${visible('c', '$5', '$6')}`;

const chatParameters = ({ storeId, instance, nohp, conversationId, sight, groups }: VisibleChat): unknown[] => [
  storeId,
  instance,
  nohp,
  conversationId ?? null,
  sight,
  groups,
];

const WITH_OWNERS = `JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id JOIN stores s ON s.store_id = c.store_id`;

/** Why help is asked, while it is: however much has happened since. */
const ASKED = `
  UNION (SELECT * FROM chat_histories WHERE store_id = c.store_id AND conversation_id = c.id AND c.status_escalate = 1 AND event = 'request_escalate' ORDER BY id DESC LIMIT 1)`;

/** The seven keys of chat_inbox around `messages`, a query over the messages of chat `c` that picks a bounded range by key. */
const inboxBody = (messages: string): string => `
  SELECT json_build_object(
    'data', coalesce((SELECT json_agg(${inboxRecord('m', 'c', 's')} ORDER BY m.seq) FROM (${messages}) m), '[]'::json),
    'chat_list', ${listRecord('c', 'k', 's')}, 'chat_order', ${orderRecord('c', 's')}, 'customer', ${customerRecord('k', 'c', 's')},
    'chat_device', ${deviceRecord('c', 's')}, 'handle_gudang', ${warehouseRecord('c', 's')}, 'history', ${historyList('c', 's', 'chat_histories', ASKED)})::text AS body
  FROM conversations c ${WITH_OWNERS} WHERE ${CHAT}`;

const OF_CHAT = 'x.store_id = c.store_id AND x.conversation_id = c.id';

/** One range of the primary key, counted from the newest: cost does not depend on the length of the chat. */
export const INBOX = inboxBody(
  `SELECT * FROM messages x WHERE ${OF_CHAT} AND x.seq <= c.last_seq - $8::int ORDER BY x.seq DESC LIMIT $7::int`,
);
/** So many messages one search reads at most, by the key of their chat; whoever goes on names the offset behind them. */
const MOST_SEARCHED = 5_000;
/**
 * Of the same range those whose words are like $9: of a text, under a file, in its name, of a place. A customer's text is kept
 * whole, however long; so much of it is compared as people can write.
 */
export const FOUND = inboxBody(
  `SELECT * FROM messages x WHERE ${OF_CHAT} AND x.seq <= c.last_seq - $8::int AND x.seq > c.last_seq - $8::int - ${MOST_SEARCHED}
     AND concat_ws(' ', left(x.pesan, 4096), left(x.caption, 4096), left(x.media->>'filename', 255), left(x.detail->>'locationName', 255)) ILIKE $9::text ORDER BY x.seq DESC LIMIT $7::int`,
);
/** What the customer wrote since it was last read, at most 200. */
export const UNSEEN = inboxBody(
  `SELECT * FROM messages x WHERE ${OF_CHAT} AND x.seq > c.read_seq AND NOT x.from_me ORDER BY x.seq LIMIT 200`,
);

/** A message by our id or WhatsApp's: two unique index lookups, the number of newer ones by subtraction. */
export const POSITION = `
  WITH hit AS (
    SELECT conversation_id, seq, waktu FROM messages WHERE store_id = $1 AND instance = $2 AND pesan_id = $7
    UNION ALL SELECT conversation_id, seq, waktu FROM messages WHERE store_id = $1 AND instance = $2 AND wa_id = $7
    LIMIT 1)
  SELECT c.last_seq - h.seq AS "offset", to_char(h.waktu AT TIME ZONE s.tz, 'YYYY-MM-DD HH24:MI') AS waktu
  FROM hit h JOIN conversations c ON c.store_id = $1 AND c.id = h.conversation_id JOIN stores s ON s.store_id = c.store_id
  WHERE ${CHAT}`;

export const DETAIL = `
  SELECT json_build_object('data', ${inboxRecord('m', 'c', 's')})::text AS body
  FROM messages m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN stores s ON s.store_id = c.store_id
  WHERE m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3 AND ${visible('c', '$4', '$5')}`;

/**
 * Reads everything up to the newest message once; a repeat finds nothing to change and still finds the chat. The reader's
 * notifications of the chat are read with it, and with $5 the customer is shown it. A message that is committed meanwhile has
 * not been seen by anybody: it stays unread, with its notification. Only for who may answer it: a chat of an
 * open team is not theirs to have read. $1 store  $2 chat  $3 sight  $4 reader or null  $5 receipts
 */
const MARK_READ = `
  WITH chat AS (SELECT c.* FROM conversations c WHERE c.store_id = $1 AND c.id = $2 AND ${answerable('c', '$3')}),
  -- As it is behind its lock; chat and its messages are as the reader found them
  held AS MATERIALIZED (
    SELECT c.store_id, c.id, c.read_seq AS before, chat.last_seq AS seen FROM conversations c JOIN chat ON c.store_id = chat.store_id AND c.id = chat.id
    WHERE c.unread_count > 0 OR c.read_seq < chat.last_seq FOR UPDATE OF c),
  marked AS (
    UPDATE conversations c SET read_seq = greatest(h.before, h.seen), version = c.version + 1, updated_at = now(),
      unread_count = CASE WHEN c.last_seq = h.seen THEN 0 ELSE greatest(0, c.unread_count - (
        SELECT count(*) FROM messages x WHERE ${OF_CHAT} AND x.seq > h.before AND x.seq <= h.seen AND NOT x.from_me)) END
    FROM held h WHERE c.store_id = h.store_id AND c.id = h.id RETURNING c.*, h.before),
  cleared AS (
    UPDATE notifications n SET read_at = now() FROM chat JOIN notifications seen ON seen.store_id = chat.store_id AND seen.conversation_id = chat.id
    WHERE seen.user_id = $4::text AND seen.read_at IS NULL
      AND n.store_id = seen.store_id AND n.user_id = seen.user_id AND n.id = seen.id AND n.count = seen.count AND n.read_at IS NULL
      -- The chat first, as every other statement takes them
      AND (SELECT count(*) FROM marked) >= 0 RETURNING 1),
  told AS (${queueReceipts('marked', '$5::boolean')})
  SELECT (SELECT ${listRecord('c', 'k', 's')} FROM marked c ${WITH_OWNERS}) AS changed, EXISTS (SELECT 1 FROM cleared) AS cleared, (SELECT count(*) FROM told) AS told FROM chat`;

/** `changed`: the list record when there was something to read. `cleared`: the reader had notifications of the chat. */
export interface MarkedRead {
  readonly changed: object | null;
  readonly cleared: boolean;
}

/** Statements behind the inbox reads. Every one is bound to a tenant and answers JSON text that PostgreSQL built. */
export class InboxRepository {
  constructor(
    private readonly sql: Sql,
    private readonly searches: Searches,
    /** Customers are shown that their messages were read (SEND_READ_RECEIPT). */
    private readonly receipts: boolean,
  ) {}

  /** Body of chat_inbox: `limit` messages behind the newest `offset`, ascending; undefined when the caller may not see the chat. */
  async inbox(chat: VisibleChat, limit: number, offset: number): Promise<string | undefined> {
    const [row] = await this.sql.prepared<{ body: string }>('chat_inbox', INBOX, [
      ...chatParameters(chat),
      limit,
      offset,
    ]);
    return row?.body;
  }

  /** The same of what is like `pattern`. */
  async found(chat: VisibleChat, limit: number, offset: number, pattern: string): Promise<string | undefined> {
    const values = [...chatParameters(chat), limit, offset, pattern];
    const [row] = await this.searches.run(chat.storeId, (sql) =>
      sql.prepared<{ body: string }>('chat_inbox_found', FOUND, values),
    );
    return row?.body;
  }

  async unseen(chat: VisibleChat): Promise<string | undefined> {
    const [row] = await this.sql.prepared<{ body: string }>('chat_newinbox', UNSEEN, chatParameters(chat));
    return row?.body;
  }

  async position(chat: VisibleChat, messageId: string): Promise<{ offset: number; waktu: string } | undefined> {
    const [row] = await this.sql.prepared<{ offset: number; waktu: string }>('chat_position', POSITION, [
      ...chatParameters(chat),
      messageId,
    ]);
    return row;
  }

  async detail(
    storeId: string,
    conversationId: string,
    seq: number,
    sight: readonly string[] | null,
    groups: boolean,
  ): Promise<string | undefined> {
    const [row] = await this.sql.prepared<{ body: string }>('chat_detail', DETAIL, [
      storeId,
      conversationId,
      seq,
      sight,
      groups,
    ]);
    return row?.body;
  }

  /** Undefined when the caller may not answer the chat. */
  async markRead(
    { storeId, conversationId }: ConversationKey,
    sight: readonly string[] | null,
    reader: string | undefined,
  ): Promise<MarkedRead | undefined> {
    const values = [storeId, conversationId, sight, reader ?? null, this.receipts];
    const [row] = await this.sql.prepared<MarkedRead>('chat_markread', MARK_READ, values);
    return row;
  }
}
