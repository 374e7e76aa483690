import { Choice, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';
import { ChatListStruct } from '../records/public';

const none = { nullable: true } as const;

/**
 * Beside the types of design 2.6: a message to the assignee, a send that will never arrive, a campaign that cannot go on
 * (`broadcast_stopped`).
 */
export const notificationTypes = [
  'new_chat',
  'message',
  'assign',
  'move',
  'escalate_request',
  'escalate_finish',
  'mention',
  'broadcast_done',
  'broadcast_stopped',
  'ticket_status',
  'device_status',
  'sla',
  'send_failed',
] as const;

export class NotifStruct {
  @Text({ example: 'S1.0192f3a0-0000-7000-8000-000000000000' }) notifId!: string;
  @Choice(notificationTypes) type!: (typeof notificationTypes)[number];
  @Text({ example: 'Chat baru' }) judul!: string;
  @Text(none) isi!: string | null;
  @Text(none) chatId!: string | null;
  @Text(none) nohp!: string | null;
  @Text(none) instance!: string | null;
  @Text(none) team!: string | null;
  @Text(none) pesan_id!: string | null;
  @Int({ description: 'how many of its kind it stands for' }) count!: number;
  @Flag() is_read!: boolean;
  @Text({ example: '2026-11-20 13:45' }) waktu!: string;
  @Int() timestamp!: number;
  @Int(none) read_at!: number | null;
}

/** Whose notifications: the user of the token. A caller without one names the user, and the store by a device. */
export class NotificationCall {
  @Text({ optional: true, max: 64, description: 'required without a token' }) user_id?: string;
  @Text({ optional: true, max: 64, description: 'a device' }) instance?: string;
}

export class NotificationQuery extends NotificationCall {
  @Text({ optional: true, format: 'numeric', description: '20 unless given, at most 100' }) limit?: string;
  @Text({ optional: true, max: 300 }) cursor?: string;
  @Choice(['true', 'false'], { optional: true }) is_read?: 'true' | 'false';
  @Text({ optional: true, max: 32 }) type?: string;
  @Text({ optional: true, max: 36 }) team?: string;
}

export class NotificationList {
  @List(() => NotifStruct) data!: NotifStruct[];
  @Int({ description: 'capped at 1000' }) unread!: number;
  @Text(none) next_cursor!: string | null;
}

export class NotificationCounts {
  @Int({ description: 'capped at 10000' }) total!: number;
  @Int({ description: 'capped at 1000' }) unread!: number;
}

export class NotificationTotal {
  @Nested(() => NotificationCounts) data!: NotificationCounts;
  @Int({ description: 'unread' }) total!: number;
}

export class MarkNotification extends NotificationCall {
  @Text({ requiredWithout: ['notifIds'], max: 80 }) notifId?: string;
  @Texts({ optional: true, min: 1, max: 100, maxLength: 80 }) notifIds?: string[];
}

export class ReadAllNotifications extends NotificationCall {
  @Text({ optional: true, max: 32 }) type?: string;
  @Text({ optional: true, max: 36 }) team?: string;
}

export class NotificationRef extends NotificationCall {
  @Text({ max: 80 }) notifId!: string;
}

export class UpdatedCount {
  @Int() updated!: number;
}

export class NotificationsMarked {
  @Text({ example: 'success mark as read' }) message!: string;
  @Nested(() => UpdatedCount) data!: UpdatedCount;
}

export class NotificationDetail {
  @Nested(() => NotifStruct) data!: NotifStruct;
  @Nested(() => ChatListStruct, none) chat_list!: ChatListStruct | null;
}
