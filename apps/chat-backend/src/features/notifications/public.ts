// What other features of this app may use.
export { NotificationCounts } from './notification.dto';
export { notificationEvents } from './notification.events';
export type { NotificationAnnouncer, Notified } from './notification.announcer';
export { TOTALS, notificationRecord, notifiedList, notify } from './notification.sql';
