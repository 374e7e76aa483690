import type { ChatEvents } from '@platform/contracts';
import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { Emitter } from '@platform/realtime';
import type { Component } from '@platform/runtime';
import type { Config } from './config';
import type { AutomationPayload } from './features/automation/automation.job';
import { chatListEndpoints } from './features/chat-list/chat-list.endpoints';
import { ChatListRepository } from './features/chat-list/chat-list.repository';
import { ChatListService } from './features/chat-list/chat-list.service';
import { PageCursor } from './features/chat-list/page-cursor';
import { inboxEndpoints } from './features/inbox/inbox.endpoints';
import { InboxRepository } from './features/inbox/inbox.repository';
import { InboxService } from './features/inbox/inbox.service';
import { callbackEndpoints } from './features/ingest/callback.endpoints';
import { CallbackService } from './features/ingest/callback.service';
import { IngestRepository } from './features/ingest/ingest.repository';
import { StatusRepository } from './features/ingest/status.repository';
import { mediaEndpoints } from './features/media/media.endpoints';
import { MediaLinks } from './features/media/media.links';
import { MediaStore } from './features/media/media.store';
import { outboundEndpoints } from './features/outbound/outbound.endpoints';
import { OutboundRepository } from './features/outbound/outbound.repository';
import { OutboundService } from './features/outbound/outbound.service';
import { ChatAnnouncer } from './features/sockets/chat.announcer';
import { AccessRepository } from './features/tenancy/access.repository';
import { DeviceDirectory } from './features/tenancy/device.directory';

/** Jobs of this service and the JSON that each takes. */
export interface ChatJobs {
  automation: AutomationPayload;
}

export interface Inbox {
  readonly endpoints: readonly Endpoint[];
  readonly components: readonly Component[];
  readonly outbound: OutboundService;
  readonly sends: OutboundRepository;
}

interface InboxParts {
  readonly database: Database;
  readonly sockets: Emitter<ChatEvents>;
  readonly queue: JobQueue<ChatJobs>;
}

/** The features around conversations: what comes in, what is read, what is written. */
export const composeInbox = (config: Config, { database, sockets, queue }: InboxParts): Inbox => {
  const { MEDIA_DIR, MEDIA_SECRET, MEDIA_BASE_URL, PORT, CALLBACK_SECRET } = config;
  const announcer = new ChatAnnouncer(sockets);
  const devices = new DeviceDirectory(database);
  const access = new AccessRepository(database);
  const media = new MediaLinks({ baseUrl: MEDIA_BASE_URL ?? `http://127.0.0.1:${PORT}`, secret: MEDIA_SECRET });
  const files = new MediaStore(MEDIA_DIR);
  const sends = new OutboundRepository(database);
  const outbound = new OutboundService(sends, { access, announcer, media });
  const messages = new IngestRepository(database, (payload, key) => queue.expression('automation', { payload, key }));
  const isSending = (instance: string, nohp: string) => sends.isSending(instance, nohp);
  const callbacks = new CallbackService({
    devices,
    messages,
    statuses: new StatusRepository(database),
    announcer,
    media,
    isSending,
  });
  const list = new ChatListService(new ChatListRepository(database), {
    access,
    devices,
    cursor: new PageCursor(MEDIA_SECRET),
  });
  const inbox = new InboxService(new InboxRepository(database), { access, devices, media, announcer });
  return {
    endpoints: [
      ...callbackEndpoints(callbacks, files, { secrets: CALLBACK_SECRET }),
      ...chatListEndpoints(list),
      ...inboxEndpoints(inbox),
      ...outboundEndpoints(outbound),
      ...mediaEndpoints(files, media),
    ],
    components: [files, messages],
    outbound,
    sends,
  };
};
