import { epoch, listRecord, minute, type OfOthers } from './record.sql';

/** Columns of a conversation that `storedListRecord` reads, beside its id and the time of its last message. */
export const STORED_COLUMNS = ['nohp', 'assignee_id', 'pending_until', 'listed'] as const;

/** What `storedJoins` joins. */
export const JOINED: OfOthers = { agent: 'u.nama', order: 'o.status' };

/** The record computed from all its tables. */
const computed = (c: string, s: string): string => `(
  SELECT ${listRecord('x', 'k', s, JOINED)}::text FROM conversations x LEFT JOIN customers k ON k.store_id = x.store_id AND k.id = x.customer_id
  WHERE x.store_id = ${s}.store_id AND x.id = ${c}.id)`;

/**
 * Puts a member's value in the place of null. JSON escapes every quote inside a string, so that a name between quotes and a colon
 * stands nowhere but where the member is.
 */
const put = (record: string, name: string, value: string): string =>
  `replace(${record}, '"${name}":null', '"${name}":' || coalesce(to_json(${value})::text, 'null'))`;

/**
 * ChatListStruct as text, the same bytes as `listRecord` makes. What the row and its customer say is stored with the row, as far
 * as `waktu` (`listed`, kept by the triggers of the migration that made it). What others say is looked up, because nothing orders
 * their writers and those of the chat: the agent's name, the latest order, the store's clock; most chats have neither an agent nor
 * an order, so their places are stored empty. `u` and `o` come from `storedJoins`. Other members, or another order of them, need
 * a column and triggers of another name: no row may show a record of the old form. `otherwise`: SQL of the record of a row that has
 * none, or of which `holds` is not true.
 */
export const storedListRecord = (c: string, s: string, otherwise = computed(c, s), holds = 'true'): string => {
  const named = put(`${c}.listed`, 'user_nama', JOINED.agent);
  const ordered = put(named, 'order_status', JOINED.order);
  const whole = put(ordered, 'pending_until', minute(`${c}.pending_until`, s));
  // Not concat(), which reads texts by their output functions: an eighth of the page
  return `CASE WHEN ${c}.listed IS NULL OR NOT ${holds} THEN ${otherwise} ELSE
    CASE WHEN ${JOINED.agent} IS NULL AND ${JOINED.order} IS NULL AND ${c}.pending_until IS NULL THEN ${c}.listed ELSE ${whole} END
    || ${minute(`${c}.last_at`, s)} || '","timestamp":' || ${epoch(`${c}.last_at`)} || '}' END`;
};

/** What is joined to `c` for `storedListRecord`. */
export const storedJoins = (c: string, s: string): string => `
  LEFT JOIN users u ON u.store_id = ${s}.store_id AND u.user_id = ${c}.assignee_id
  LEFT JOIN LATERAL (
    SELECT o.status FROM chat_orders o WHERE o.store_id = ${s}.store_id AND o.nohp = ${c}.nohp ORDER BY o.created_at DESC LIMIT 1) o ON true`;
