import type { JobQueue } from '@platform/jobs';
import type { ChatJobs } from '../../chat.jobs';
import type { EventExpression } from './commerce-event.job';

/** Members of one team that are told of one chat; a plan has fewer. */
export const MOST_TOLD = 500;

/**
 * What commerce-api is told of notifications that were just written (`notified`, RETURNING of `notify`), for members who look at no page: one
 * row of each chat and type, `payload` of a `commerce.event` and its `key`. Under one key the newest is told. Not of groups, which not every
 * member sees. `chats` and `customers` hold the chats and whose they are.
 */
export const toldMembers = (notified: string, chats: string, customers: string): string => `
  SELECT c.store_id, c.id, c.status, c.instance, 'told.' || c.store_id || '.' || c.id || '.' || n.type AS key,
    json_build_object('storeId', c.store_id, 'event', json_build_object('id', 'told:' || n.type || ':' || n.pesan_id, 'kind', 'members_told', 'nohp', c.nohp,
      'chatId', c.store_id || '.' || c.id, 'instance', c.instance, 'team', c.team_id, 'title', left(coalesce(k.nama, c.nohp), 200),
      'text', left(coalesce(c.last_text, ''), 400), 'users', n.users)) AS payload
  FROM (SELECT w.store_id, w.conversation_id, w.type, max(w.pesan_id) AS pesan_id, (array_agg(w.user_id ORDER BY w.user_id))[1:${MOST_TOLD}] AS users
        FROM ${notified} w WHERE w.pesan_id IS NOT NULL GROUP BY 1, 2, 3) n
    JOIN ${chats} c ON c.store_id = n.store_id AND c.id = n.conversation_id
    JOIN ${customers} k ON k.store_id = c.store_id AND k.id = c.customer_id
  WHERE NOT c.is_group`;

/** A chat that the bot of its device answers waits for nobody. */
export const NOT_THE_BOTS = `NOT (t.status = 0 AND EXISTS (
  SELECT 1 FROM devices d WHERE d.store_id = t.store_id AND d.instance = t.instance AND d.bot_agent_id IS NOT NULL))`;

/** About half an hour: later nobody is glad to be told. */
export const TOLD_ATTEMPTS = 8;

/** Queues it within the statement. */
export const toldExpression =
  (queue: Pick<JobQueue<ChatJobs>, 'expression'>): EventExpression =>
  (payload, key) =>
    queue.expression('commerce.event', { payload, key, maxAttempts: TOLD_ATTEMPTS });
