import type { Keyset, Sql } from '@platform/data';
import { listRecord } from '../records/public';
import { visible } from '../tenancy/public';
import type { NotifiedUser, UserTotals } from './notification.announcer';
import { LIST, MARK_READ, notificationRecord, READ_ALL, TOTALS } from './notification.sql';

export interface NotificationOwner {
  readonly storeId: string;
  readonly userId: string;
}

export interface NotificationFilter {
  readonly before: Keyset;
  readonly limit: number;
  readonly isRead: boolean | undefined;
  readonly type: string | undefined;
  readonly instance: string | undefined;
  readonly team: string | undefined;
}

export interface NotificationRow {
  readonly id: string;
  readonly lastAt: string;
  readonly record: string;
}

/** One notification with its chat, as far as the user may still see that. $4 sight  $5 groups */
const DETAIL = `
  SELECT json_build_object('data', ${notificationRecord('n', 'c', 's')},
    'chat_list', CASE WHEN c.id IS NOT NULL AND ${visible('c', '$4', '$5')} THEN ${listRecord('c', 'k', 's')} END)::text AS body
  FROM notifications n JOIN stores s ON s.store_id = n.store_id LEFT JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id
  LEFT JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  WHERE n.store_id = $1 AND n.user_id = $2 AND n.id = $3`;

/** Notifications of one user at a time: every statement names store and user. */
export class NotificationRepository {
  constructor(private readonly sql: Sql) {}

  async list({ storeId, userId }: NotificationOwner, filter: NotificationFilter): Promise<NotificationRow[]> {
    const { before, limit, isRead, type, instance, team } = filter;
    return this.sql.prepared<NotificationRow>('notif_list', LIST, [
      storeId,
      userId,
      before.lastAt,
      before.id,
      limit,
      isRead ?? null,
      type ?? null,
      instance ?? null,
      team ?? null,
    ]);
  }

  async totals(users: readonly NotifiedUser[]): Promise<UserTotals[]> {
    return this.sql.prepared<UserTotals>('notif_totals', TOTALS, [JSON.stringify(users)]);
  }

  async markRead(
    { storeId, userId }: NotificationOwner,
    ids: readonly string[],
  ): Promise<{ found: number; updated: number }> {
    const [row] = await this.sql.prepared<{ found: number; updated: number }>('notif_markread', MARK_READ, [
      storeId,
      userId,
      ids,
    ]);
    return row ?? { found: 0, updated: 0 };
  }

  async readAll({ storeId, userId }: NotificationOwner, type?: string, team?: string): Promise<number> {
    const [row] = await this.sql.prepared<{ updated: number }>('notif_readall', READ_ALL, [
      storeId,
      userId,
      type ?? null,
      team ?? null,
    ]);
    return row?.updated ?? 0;
  }

  async detail(
    { storeId, userId }: NotificationOwner,
    id: string,
    sight: readonly string[] | null,
    groups: boolean,
  ): Promise<string | undefined> {
    const [row] = await this.sql.prepared<{ body: string }>('notif_detail', DETAIL, [
      storeId,
      userId,
      id,
      sight,
      groups,
    ]);
    return row?.body;
  }
}
