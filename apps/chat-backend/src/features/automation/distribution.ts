import type { Database, Sql } from '@platform/data';
import { systemClock, type Clock } from '@platform/runtime';
import { notifiedList, notify, type NotificationAnnouncer, type Notified } from '../notifications/public';
import { historyRecord, listRecord, type ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { isWithinHours } from './team-hours';

/** The lock orders hand-overs of one team, so that each sees whose turn the one before has used. */
const TEAM = `
  SELECT t.distribution, t.hours, s.tz FROM teams t JOIN stores s ON s.store_id = t.store_id
  WHERE t.store_id = $1 AND t.id = $2 AND t.distribution <> 'manual' FOR UPDATE OF t`;

/**
 * Hands one open chat that nobody has to the member whose turn it is (round_robin: longest without one; least_busy: fewest
 * handled chats first), with history and notification, or does nothing. $1 store  $2 chat  $3 team  $4 distribution
 */
export const ASSIGN = `
  WITH target AS MATERIALIZED (
    SELECT c.* FROM conversations c WHERE c.store_id = $1 AND c.id = $2 AND c.team_id = $3 AND c.status = 0 AND c.assignee_id IS NULL FOR UPDATE),
  pick AS MATERIALIZED (
    SELECT m.user_id FROM target t JOIN team_members m ON m.store_id = t.store_id AND m.team_id = t.team_id
    JOIN users u ON u.store_id = m.store_id AND u.user_id = m.user_id AND u.aktif
    ORDER BY CASE WHEN $4 = 'least_busy' THEN (SELECT count(*) FROM (
      SELECT 1 FROM conversations o WHERE o.store_id = m.store_id AND o.assignee_id = m.user_id AND o.status = 1 LIMIT 1000) busy) END,
      m.last_assigned_at NULLS FIRST, m.user_id LIMIT 1),
  turn AS (
    UPDATE team_members m SET last_assigned_at = clock_timestamp() FROM pick p WHERE m.store_id = $1 AND m.team_id = $3 AND m.user_id = p.user_id),
  chat AS (
    UPDATE conversations v SET status = 1, assignee_id = p.user_id, version = v.version + 1, updated_at = now()
    FROM pick p WHERE v.store_id = $1 AND v.id = $2 RETURNING v.*),
  event AS (
    INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type, team_to, user_to)
    SELECT c.store_id, c.id, uuidv7(), c.episode, 'assign', 0, c.status, 'system', c.team_id, c.assignee_id FROM chat c RETURNING *),
  notified AS (${notify(`
    SELECT c.store_id, c.assignee_id AS user_id, 'assign' AS type, 'Chat ditugaskan kepada Anda' AS judul, coalesce(k.nama, c.nohp) || coalesce(': ' || c.last_text, '') AS isi,
      c.id AS conversation_id, c.last_pesan_id AS pesan_id, 1 AS count
    FROM chat c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id`)})
  SELECT ${listRecord('c', 'k', 's')} AS list, (SELECT ${historyRecord('h', 's')} FROM event h) AS history, ${notifiedList('notified', 'c', 's')} AS notified
  FROM chat c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id JOIN stores s ON s.store_id = c.store_id`;

interface Team {
  readonly distribution: string;
  readonly hours: unknown;
  readonly tz: string;
}

interface Assigned {
  readonly list: { readonly chatId: string };
  readonly history: object;
  readonly notified: readonly Notified[] | null;
}

export interface DistributionDependencies {
  readonly announcer: ChatAnnouncer;
  readonly notifications: NotificationAnnouncer;
  readonly clock?: Clock;
}

/** Hands waiting chats to the members of teams that distribute (design 5.2). */
export class Distribution {
  constructor(
    private readonly database: Pick<Database, 'tx'>,
    private readonly needs: DistributionDependencies,
  ) {}

  /** Does nothing outside the team's hours, in a team that assigns manually, and when the chat is assigned. */
  async distribute(chat: ConversationKey, team: string): Promise<void> {
    const assigned = await this.database.tx((tx) => this.assign(tx, chat, team));
    if (!assigned) return;
    this.needs.announcer.listChanged(assigned.list);
    this.needs.announcer.history(assigned.list.chatId, [assigned.history]);
    this.needs.notifications.notified(assigned.notified);
  }

  private async assign(
    tx: Sql,
    { storeId, conversationId }: ConversationKey,
    team: string,
  ): Promise<Assigned | undefined> {
    const { clock = systemClock } = this.needs;
    const [found] = await tx.prepared<Team>('distribution_team', TEAM, [storeId, team]);
    if (!found || !isWithinHours(found.hours, found.tz, clock.now())) return undefined;
    const values = [storeId, conversationId, team, found.distribution];
    const [assigned] = await tx.prepared<Assigned>('distribution_assign', ASSIGN, values);
    return assigned;
  }
}
