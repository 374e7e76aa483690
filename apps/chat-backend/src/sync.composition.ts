import type { Cache, Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import { openJobQueue } from '@platform/jobs';
import type { Realtime } from '@platform/realtime';
import type { Component, Logger } from '@platform/runtime';
import type { ChatJobs } from './chat.jobs';
import { SCHEMA } from './data-source';
import type { ChatAnnouncer } from './features/sockets/chat.announcer';
import { teamsChanged } from './features/sockets/chat.sockets';
import type { ChatEvents } from './features/sockets/socket.api';
import { DirectoryNews } from './features/sync/directory.news';
import { everySource } from './features/sync/every-source';
import { syncEndpoints } from './features/sync/sync.endpoints';
import { SyncRepository } from './features/sync/sync.repository';
import { SyncService } from './features/sync/sync.service';
import type { DeviceDirectory } from './features/tenancy/device.directory';

interface SyncParts {
  readonly sources: readonly { readonly sql: Database; readonly announcer: Pick<ChatAnnouncer, 'adopted'> }[];
  readonly cache: Cache;
  readonly devices: Pick<DeviceDirectory, 'forget'>;
  readonly sockets: Pick<Realtime<ChatEvents>, 'enter' | 'recheck'>;
  /** Whether there is a commerce-api to tell of contacts. */
  readonly tellsContacts: boolean;
  readonly logger: Logger;
}

/** What commerce-api pushes. */
export const composeSync = ({
  sources,
  cache,
  devices,
  sockets,
  tellsContacts,
  logger,
}: SyncParts): { endpoints: Endpoint[]; components: Component[] } => {
  const news = new DirectoryNews(cache, devices, logger);
  const into = ({ sql, announcer }: SyncParts['sources'][number]) =>
    new SyncService(sql, {
      repository: new SyncRepository(sql),
      changed: (storeId) => news.changed(storeId),
      teamsChanged: (storeId, teams) => teamsChanged(sockets, storeId, teams),
      queue: openJobQueue<ChatJobs>(`${SCHEMA}_jobs`),
      tellsContacts,
      chatsAdopted: (chats) => chats.forEach((chat) => announcer.adopted(chat)),
    });
  return { endpoints: syncEndpoints(everySource(sources.map(into))), components: [news] };
};
