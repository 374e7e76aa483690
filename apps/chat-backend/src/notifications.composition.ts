import { PageCursor, type Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { Emitter } from '@platform/realtime';
import { Coalescer, type Component, type Logger } from '@platform/runtime';
import type { Config } from './config';
import { emitTotals, NotificationAnnouncer, type NotifiedUser } from './features/notifications/notification.announcer';
import { notificationEndpoints } from './features/notifications/notification.endpoints';
import type { NotificationEvents } from './features/notifications/notification.events';
import { NotificationRepository } from './features/notifications/notification.repository';
import { NotificationService } from './features/notifications/notification.service';
import type { DeviceDirectory } from './features/tenancy/device.directory';

interface NotificationParts {
  readonly database: Database;
  readonly sockets: Emitter<NotificationEvents>;
  readonly devices: DeviceDirectory;
  readonly logger: Logger;
}

export interface Notifications {
  readonly endpoints: readonly Endpoint[];
  readonly components: readonly Component[];
  readonly announcer: NotificationAnnouncer;
}

/** What users are told beside the chats themselves. */
export const composeNotifications = (
  { MEDIA_SECRET }: Config,
  { database, sockets, devices, logger }: NotificationParts,
): Notifications => {
  const repository = new NotificationRepository(database);
  const counters = new Coalescer<NotifiedUser>({
    name: 'notification counters',
    everyMs: 1000,
    keyOf: ({ store, user }) => `${store}\n${user}`,
    flush: async (users) => emitTotals(sockets, await repository.totals(users)),
    logger,
  });
  const announcer = new NotificationAnnouncer(sockets, counters);
  const cursor = new PageCursor(MEDIA_SECRET);
  return {
    endpoints: notificationEndpoints(new NotificationService(repository, { devices, cursor, announcer })),
    components: [counters],
    announcer,
  };
};
