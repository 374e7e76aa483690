import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';

const BATCH = 500;
const MOST_BATCHES = 50;
const DAY_MS = 24 * 3600 * 1000;

/** The oldest notifications from before $1: one range of notifications_age. $2 most */
export const OLD_NOTIFICATIONS = `
  DELETE FROM notifications n USING (
    SELECT o.store_id, o.user_id, o.id FROM notifications o WHERE o.waktu < $1::timestamptz ORDER BY o.waktu LIMIT $2::int FOR UPDATE SKIP LOCKED) o
  WHERE n.store_id = o.store_id AND n.user_id = o.user_id AND n.id = o.id RETURNING 1 AS yes`;

/**
 * The oldest events of chats from before $1: one range of chat_histories_age. One whose file is still there stays until
 * MEDIA_TTL_DAYS has removed that, or nobody would ever find it. $2 most
 */
export const OLD_EVENTS = `
  DELETE FROM chat_histories h USING (
    SELECT o.store_id, o.conversation_id, o.id FROM chat_histories o WHERE o.waktu < $1::timestamptz AND (o.lampiran @? '$[*].url ? (@ != null)') IS NOT TRUE
    ORDER BY o.waktu LIMIT $2::int FOR UPDATE SKIP LOCKED) o
  WHERE h.store_id = o.store_id AND h.conversation_id = o.conversation_id AND h.id = o.id RETURNING 1 AS yes`;

export interface OldRowsOptions {
  /** NOTIFICATION_DAYS. */
  readonly notificationDays: number;
  /** HISTORY_DAYS; undefined: events of chats are kept for ever. */
  readonly historyDays: number | undefined;
  readonly clock: Clock;
  /** Rows at a time, 500 when left out. */
  readonly batch?: number;
}

/** Removes rows after their days, in portions, so that no statement holds many locks; the next minute goes on where this one stopped. */
export class OldRows {
  constructor(
    private readonly sql: Sql,
    private readonly options: OldRowsOptions,
  ) {}

  async run(): Promise<void> {
    const { notificationDays, historyDays } = this.options;
    await this.remove('old_notifications', OLD_NOTIFICATIONS, notificationDays);
    if (historyDays !== undefined) await this.remove('old_events', OLD_EVENTS, historyDays);
  }

  private async remove(name: string, statement: string, days: number): Promise<void> {
    const { clock, batch = BATCH } = this.options;
    const before = new Date(clock.now().getTime() - days * DAY_MS);
    for (let times = 0; times < MOST_BATCHES; times++)
      if ((await this.sql.prepared(name, statement, [before, batch])).length < batch) return;
  }
}
