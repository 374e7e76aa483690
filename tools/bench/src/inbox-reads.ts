import { KEY_WIDTH, LONG_CHAT, STORE, TEAMS } from './inbox-data';
import type { Read } from './read-scale';

const list = { nohp: '-', instance: 'all', team: '{key}' };
const everywhere = { ...list, team: 'all' };
const longChat = { nohp: LONG_CHAT.nohp, instance: LONG_CHAT.instance, team: '0'.repeat(KEY_WIDTH) };
const LIST = '/v1/chat_list';

const some = '"indexlist":["';
const pageOf = (name: string, body: object, keys: number): Read => ({ name, path: LIST, body, keys, expects: some });

const search = (name: string, body: object, keys: number): Read => ({
  ...pageOf(name, body, keys),
  settings: { plan_cache_mode: 'force_custom_plan' },
});

const pages = (cursor: string): Read[] => [
  pageOf("a team's first page", list, TEAMS),
  pageOf("a team's open chats", { ...list, status: 'open' }, TEAMS),
  pageOf('first page of the shop', everywhere, 1),
  pageOf('deep page of the shop', { ...everywhere, cursor }, 1),
  search('unread and unassigned of a team', { ...list, status: 'unread', filter: { user_id: 'none' } }, TEAMS),
];

/** `numbers`: how many distinct numbers end the names and texts of the shop, ten times each (`inbox-data.ts`). */
const searches = (numbers: number): Read[] => [
  search('keyword', { ...everywhere, keyword: '{key}' }, numbers),
  { ...search('a name', { ...everywhere, search: 'a {key}', searchType: 'nama' }, numbers), expects: '"result":true' },
  search('a common name', { ...everywhere, search: 'budi', searchType: 'nama' }, 1),
  search('words of a message', { ...everywhere, search: 'rs{key}', searchType: 'pesan' }, numbers),
];

const INBOX = '/v1/chat_inbox';
const chats = (numbers: number): Read[] => [
  { name: 'chat_inbox, newest of 100,000', path: INBOX, body: longChat, keys: 1, expects: '"chatInboxId":"' },
  {
    name: 'chat_inbox, anywhere in 100,000',
    path: INBOX,
    body: { ...longChat, offset: '{key}' },
    keys: LONG_CHAT.messages,
    expects: '"chatInboxId":"',
  },
  {
    name: 'chat_inbox_position in 100,000',
    path: '/v1/chat_inbox_position',
    body: { ...longChat, pesan_id: 'L{key}' },
    keys: LONG_CHAT.messages,
    expects: '"offset":',
  },
  {
    name: 'chat_newinbox',
    path: '/v1/chat_newinbox',
    body: { nohp: '6280{key}', instance: 'dev20', team: '0'.repeat(KEY_WIDTH) },
    keys: numbers,
    expects: '"chatInboxId":"',
  },
];

/** The reads for an inbox of so many `conversations`, half of which are the shop's. */
export const readsOf = (conversations: number, cursor: string): Read[] => {
  const numbers = conversations / 20;
  return [...pages(cursor), ...searches(numbers), ...chats(numbers)];
};

/** The same reads with the queries of other products (design section 7), on our data. `:key` as in pgbench. */
export const otherShapes: Readonly<Record<string, { readonly sql: string; readonly keys: number }>> = {
  'deep page by OFFSET 50,000': {
    sql: `SELECT id, last_at, last_text FROM conversations WHERE store_id = '${STORE}' ORDER BY last_at DESC OFFSET 50000 LIMIT 50`,
    keys: 1,
  },
  'list with the last message and the unread count per row': {
    sql: `SELECT c.id, (SELECT m.pesan FROM messages m WHERE m.store_id = c.store_id AND m.conversation_id = c.id ORDER BY m.seq DESC LIMIT 1),
      (SELECT count(*) FROM messages m WHERE m.store_id = c.store_id AND m.conversation_id = c.id AND NOT m.from_me AND m.seq > c.read_seq)
      FROM conversations c WHERE c.store_id = '${STORE}' AND c.team_id = lpad(:key::text, ${KEY_WIDTH}, '0') AND c.status = 0 ORDER BY c.last_at DESC LIMIT 50`,
    keys: TEAMS,
  },
  'three counts for the badges': {
    sql: `SELECT count(*) FILTER (WHERE assignee_id = 'u1'), count(*) FILTER (WHERE assignee_id IS NULL), count(*) FROM conversations WHERE store_id = '${STORE}' AND status = 0`,
    keys: 1,
  },
  'search with OR across customers and chats': {
    sql: `SELECT c.id FROM conversations c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
      WHERE c.store_id = '${STORE}' AND (k.nama ILIKE '%' || lpad(:key::text, ${KEY_WIDTH}, '0') || '%' OR c.last_text ILIKE '%' || lpad(:key::text, ${KEY_WIDTH}, '0') || '%') ORDER BY c.last_at DESC LIMIT 50`,
    keys: 50_000,
  },
  'position by count in 100,000': {
    sql: `SELECT count(*) FROM messages m WHERE m.store_id = '${STORE}' AND m.conversation_id = (SELECT id FROM conversations WHERE store_id = '${STORE}' AND instance = '${LONG_CHAT.instance}' AND nohp = '${LONG_CHAT.nohp}') AND m.seq > :key`,
    keys: LONG_CHAT.messages,
  },
};
