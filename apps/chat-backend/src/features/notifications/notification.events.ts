import type { EventsOf, SocketEvent } from '@platform/realtime';
import { NotificationCounts, NotifStruct } from './notification.dto';

/** What users are told of their notifications. */
export const notificationEvents = {
  notif: {
    summary: 'A notification is new, or stands for one more of its kind',
    to: 'all sockets of the user',
    payload: NotifStruct,
  },
  totalNotif: {
    summary: "The user's counters have changed",
    description: 'At most once a second.',
    to: 'all sockets of the user',
    payload: NotificationCounts,
  },
} satisfies Record<string, SocketEvent>;

export type NotificationEvents = EventsOf<typeof notificationEvents>;
