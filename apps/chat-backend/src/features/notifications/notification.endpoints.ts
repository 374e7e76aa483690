import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { resultText } from '../records/public';
import { refusals } from '../tenancy/public';
import {
  MarkNotification,
  NotificationCall,
  NotificationDetail,
  NotificationList,
  NotificationQuery,
  NotificationRef,
  NotificationsMarked,
  NotificationTotal,
  ReadAllNotifications,
} from './notification.dto';
import {
  getNotifExamples,
  getTotalnotifExamples,
  readallNotifExamples,
  unknownNotificationExamples,
} from './notification.examples';
import type { NotificationService } from './notification.service';

const own = { guard: 'jwt', tag: 'notifications' } as const;

/** The five notification routes; they have no variants (contract). */
export const notificationEndpoints = (notifications: NotificationService): Endpoint[] => [
  endpoint({
    ...own,
    post: '/v1/get_notif',
    summary: "The user's notifications, newest first",
    body: NotificationQuery,
    reply: NotificationList,
    refuses: [refusals.deviceNotFound],
    examples: getNotifExamples,
    handle: async ({ caller, body }) => resultText(await notifications.list(caller, body)),
  }),
  endpoint({
    ...own,
    post: '/v1/get_totalnotif',
    summary: 'How many notifications the user has, and how many are unread',
    body: NotificationCall,
    reply: NotificationTotal,
    refuses: [refusals.deviceNotFound],
    examples: getTotalnotifExamples,
    handle: async ({ caller, body }) => {
      const data = await notifications.totals(caller, body);
      return { data, total: data.unread };
    },
  }),
  endpoint({
    ...own,
    post: '/v1/markread_notif',
    summary: 'Marks notifications as read',
    body: MarkNotification,
    reply: NotificationsMarked,
    refuses: [refusals.notificationNotFound],
    examples: unknownNotificationExamples,
    handle: async ({ caller, body }) => ({
      message: 'success mark as read',
      data: { updated: await notifications.markRead(caller, body) },
    }),
  }),
  endpoint({
    ...own,
    post: '/v1/readall_notif',
    summary: 'Marks all notifications as read, or all of one type or team',
    body: ReadAllNotifications,
    reply: NotificationsMarked,
    refuses: [refusals.deviceNotFound],
    examples: readallNotifExamples,
    handle: async ({ caller, body }) => ({
      message: 'success read all',
      data: { updated: await notifications.readAll(caller, body) },
    }),
  }),
  endpoint({
    ...own,
    post: '/v1/getdetail_notif',
    summary: 'One notification with its chat; does not mark it as read',
    body: NotificationRef,
    reply: NotificationDetail,
    refuses: [refusals.notificationNotFound],
    examples: unknownNotificationExamples,
    handle: async ({ caller, body }) => resultText(await notifications.detail(caller, body, body.notifId)),
  }),
];
