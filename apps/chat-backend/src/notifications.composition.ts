import type { ChatEvents } from '@platform/contracts';
import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { Emitter } from '@platform/realtime';
import type { Component, Logger } from '@platform/runtime';
import type { Config } from './config';
import { PageCursor } from './features/chat-list/page-cursor';
import { emitTotals, NotificationAnnouncer } from './features/notifications/notification.announcer';
import { notificationEndpoints } from './features/notifications/notification.endpoints';
import { NotificationRepository } from './features/notifications/notification.repository';
import { NotificationService } from './features/notifications/notification.service';
import { Coalescer } from './features/sockets/coalescer';
import type { DeviceDirectory } from './features/tenancy/device.directory';

interface NotificationParts {
  readonly database: Database;
  readonly sockets: Emitter<ChatEvents>;
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
  const counters = new Coalescer({
    name: 'notification counters',
    everyMs: 1000,
    flush: async (users) =>
      emitTotals(sockets, await repository.totals(users.map(({ store, id }) => ({ store, user: id })))),
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
