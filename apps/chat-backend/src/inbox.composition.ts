import { PageCursor, type Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { Realtime } from '@platform/realtime';
import { Coalescer, type Component, type Logger } from '@platform/runtime';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { chatListEndpoints } from './features/chat-list/chat-list.endpoints';
import { ChatListRepository } from './features/chat-list/chat-list.repository';
import { ChatListService } from './features/chat-list/chat-list.service';
import { inboxEndpoints } from './features/inbox/inbox.endpoints';
import { InboxRepository } from './features/inbox/inbox.repository';
import { InboxService, type InboxDependencies } from './features/inbox/inbox.service';
import { mediaEndpoints } from './features/media/media.endpoints';
import { mediaLinks, type MediaLinks } from './features/media/media.links';
import { MediaStore, type Download } from './features/media/media.store';
import type { NotificationAnnouncer } from './features/notifications/notification.announcer';
import type { OutboundRepository } from './features/outbound/outbound.repository';
import type { OutboundService } from './features/outbound/outbound.service';
import { askedLookup } from './features/sockets/asked.lookup';
import { ChatAnnouncer } from './features/sockets/chat.announcer';
import type { ChatEvents } from './features/sockets/socket.api';
import { tellTeams } from './features/sockets/team.counters';
import { AccessRepository } from './features/tenancy/access.repository';
import { ChatFinder } from './features/tenancy/chat.finder';
import { DeviceDirectory } from './features/tenancy/device.directory';
import { composeOutbound } from './outbound.composition';
import { composeIngest } from './ingest.composition';
import { composeNotifications } from './notifications.composition';
import type { Searches } from './searches';

export interface Inbox {
  readonly endpoints: readonly Endpoint[];
  readonly components: readonly Component[];
  readonly outbound: OutboundService;
  readonly sends: OutboundRepository;
  readonly devices: DeviceDirectory;
  readonly announcer: ChatAnnouncer;
  readonly notifications: NotificationAnnouncer;
  readonly media: MediaLinks;
  readonly files: MediaStore;
  readonly chats: ChatFinder;
}

interface InboxParts {
  readonly database: Database;
  /** Connections as `SEARCHES` says. */
  readonly searches: Searches;
  readonly sockets: Pick<Realtime<ChatEvents>, 'emit' | 'evict' | 'recheck'>;
  readonly queue: JobQueue<ChatJobs>;
  readonly logger: Logger;
  readonly download: Download | undefined;
}

interface ReadParts extends InboxDependencies {
  readonly database: Database;
  readonly searches: Searches;
}

/** The list of conversations, and one conversation. */
const readEndpoints = (
  { MEDIA_SECRET, SEND_READ_RECEIPT }: Config,
  { database, searches, ...needs }: ReadParts,
): Endpoint[] => {
  const cursor = new PageCursor(MEDIA_SECRET);
  const { access, devices } = needs;
  const list = new ChatListService(new ChatListRepository(database, searches), { access, devices, cursor });
  const inbox = new InboxService(new InboxRepository(database, searches, SEND_READ_RECEIPT), needs);
  return [...chatListEndpoints(list), ...inboxEndpoints(inbox)];
};

/** Unread chats of teams, told at most once a second. */
const teamCounters = (database: Database, sockets: InboxParts['sockets'], logger: Logger) =>
  new Coalescer({
    name: 'team counters',
    everyMs: 1000,
    keyOf: ({ store, id }) => `${store}\n${id}`,
    flush: tellTeams(database, sockets),
    logger,
  });

/** The features around conversations: what comes in, what is read, what is written. */
export const composeInbox = (
  config: Config,
  { database, searches, sockets, queue, logger, download }: InboxParts,
): Inbox => {
  const teams = teamCounters(database, sockets, logger);
  const announcer = new ChatAnnouncer(sockets, teams, askedLookup(database, logger));
  const devices = new DeviceDirectory(database);
  const notifications = composeNotifications(config, { database, sockets, devices, logger });
  const access = new AccessRepository(database);
  const chats = new ChatFinder(access, database);
  const media = mediaLinks(config);
  const files = new MediaStore(config.MEDIA_DIR, download);
  const { sends, outbound, ...sending } = composeOutbound(config, { database, access, chats, announcer, media, files });
  const ingest = composeIngest(config, {
    ...{ database, queue, devices, announcer, media, files, logger },
    notifications: notifications.announcer,
    isSending: (...person) => sends.isSending(...person),
  });
  const shown = { devices, media, announcer, notifications: notifications.announcer };
  return {
    endpoints: [
      ...ingest.endpoints,
      ...readEndpoints(config, { database, searches, access, chats, ...shown }),
      ...sending.endpoints,
      ...mediaEndpoints(files, media),
      ...notifications.endpoints,
    ],
    components: [files, teams, ...notifications.components, ...ingest.components],
    ...shown,
    outbound,
    sends,
    files,
    chats,
  };
};
