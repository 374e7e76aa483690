import type { Sql } from '@platform/data';
import type { Call } from '@platform/realtime';
import type { MediaLinks } from '../media/public';
import { TOTALS } from '../notifications/public';
import { inboxRecord, listRecord, parseChatId } from '../records/public';
import { seesGroups, sightOf, visible, type Scope } from '../tenancy/public';
import type { Missed } from './socket.dto';

/** Chats of one request, and of the messages it is answered with. */
const MOST_CHATS = 200;
const MOST_MESSAGES = 200;
const MOST_IN_ALL = 2_000;

/**
 * What a client has missed, in one statement (design 5.4): messages behind the last seq it knows, list rows whose version
 * differs, chats it may not see any more. A gap that is too long, or a seq from the future, is answered with `reset`, as is each chat beyond the first 200.
 * $1 store  $2 chats with seq and version  $3 sight  $4 groups
 */
export const SYNC = `
  WITH asked AS MATERIALIZED (SELECT i.id, i.seq, i.version FROM json_to_recordset($2::json) AS i (id uuid, seq int, version int)),
  seen AS MATERIALIZED (
    SELECT c.*, a.seq, a.version AS known, sum(least(greatest(c.last_seq - a.seq, 0), ${MOST_MESSAGES})) OVER (ORDER BY c.id) AS in_all
    FROM asked a JOIN conversations c ON c.store_id = $1 AND c.id = a.id WHERE ${visible('c', '$3', '$4')})
  SELECT json_build_object(
    'chats', coalesce((
      SELECT json_object_agg(c.store_id || '.' || c.id, CASE WHEN c.seq > c.last_seq OR c.last_seq - c.seq > ${MOST_MESSAGES} OR c.in_all > ${MOST_IN_ALL}
        THEN json_build_object('reset', true)
        ELSE json_build_object('inbox', coalesce((
          SELECT json_agg(${inboxRecord('m', 'c', 's')} ORDER BY m.seq) FROM messages m WHERE m.store_id = c.store_id AND m.conversation_id = c.id AND m.seq > c.seq), '[]'::json),
          'last_seq', c.last_seq) END)
      FROM seen c JOIN stores s ON s.store_id = c.store_id WHERE c.seq IS NOT NULL), '{}'::json),
    'changed', coalesce((
      SELECT json_agg(${listRecord('c', 'k', 's')} ORDER BY c.last_at DESC, c.id) FROM seen c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
      JOIN stores s ON s.store_id = c.store_id WHERE c.version <> c.known), '[]'::json),
    'gone', coalesce((SELECT json_agg($1 || '.' || a.id) FROM asked a WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.id = a.id)), '[]'::json))::text AS body`;

interface Asked {
  readonly id: string;
  seq?: number;
  version?: number;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const numbersOf = (value: unknown): [string, number][] =>
  Object.entries(isObject(value) ? value : {}).filter(
    (entry): entry is [string, number] => Number.isInteger(entry[1]) && Math.abs(Number(entry[1])) < 2 ** 31,
  );

interface Named {
  readonly asked: readonly Asked[];
  /** Too many to be looked at, by what the client calls them. */
  readonly beyond: readonly string[];
}

/** The chats of the caller's own store that the payload names; anything else in it is passed over. */
const namedIn = (payload: unknown, store: string | undefined): Named => {
  const given = isObject(payload) ? payload : {};
  const [chats, versions] = [numbersOf(given.chats), numbersOf(given.versions)];
  const asked = new Map<string, Asked>();
  const isOwn = (chatId: string): boolean => store !== undefined && parseChatId(chatId)?.storeId === store;
  const of = (chatId: string): Asked | undefined => {
    const chat = parseChatId(chatId);
    if (!chat || !isOwn(chatId)) return undefined;
    const one = asked.get(chat.conversationId) ?? { id: chat.conversationId };
    asked.set(chat.conversationId, one);
    return one;
  };
  for (const [chatId, seq] of chats.slice(0, MOST_CHATS)) Object.assign(of(chatId) ?? {}, { seq });
  for (const [chatId, version] of versions.slice(0, MOST_CHATS)) Object.assign(of(chatId) ?? {}, { version });
  const rest = [...chats.slice(MOST_CHATS), ...versions.slice(MOST_CHATS)].map(([chatId]) => chatId);
  return { asked: [...asked.values()], beyond: rest.filter(isOwn) };
};

/** `sync {chats:{chatId:lastSeq},versions:{chatId:version}}`: repairs what a client missed, whatever the reason. */
export const syncRequest =
  (sql: Sql, media: Pick<MediaLinks, 'sign'>) =>
  async ({ session, payload }: Call<Scope>): Promise<Missed> => {
    const { storeId, userId } = session;
    const { asked, beyond } = namedIn(payload, storeId);
    const [row] = await sql.prepared<{ body: string }>('socket_sync', SYNC, [
      storeId,
      JSON.stringify(asked),
      sightOf(session),
      seesGroups(session),
    ]);
    const [totals] = await sql.prepared<{ total: number; unread: number }>('notif_totals', TOTALS, [
      JSON.stringify(userId === undefined ? [] : [{ store: storeId, user: userId }]),
    ]);
    const missed = JSON.parse(media.sign(row?.body ?? '{}')) as Omit<Missed, 'totalNotif'>;
    // Or its client would take them for chats in which nothing has happened
    const chats = { ...Object.fromEntries(beyond.map((chatId) => [chatId, { reset: true }])), ...missed.chats };
    return { ...missed, chats, totalNotif: { total: totals?.total ?? 0, unread: totals?.unread ?? 0 } };
  };
