import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { Component, Logger } from '@platform/runtime';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { eventExpression } from './features/automation/commerce-event.job';
import { toldExpression } from './features/automation/told-members.sql';
import { contactExpression } from './features/automation/contact.job';
import { AliasRepository } from './features/ingest/alias.repository';
import { callbackEndpoints } from './features/ingest/callback.endpoints';
import { CallbackService, type CallbackDependencies } from './features/ingest/callback.service';
import { InboundAnnouncer } from './features/ingest/inbound.announcer';
import { ingestStatement, type IngestJobs } from './features/ingest/ingest.sql';
import { IngestRepository } from './features/ingest/ingest.repository';
import { Redelivery } from './features/ingest/redelivery';
import { StatusRepository } from './features/ingest/status.repository';
import { StatusService } from './features/ingest/status.service';
import type { MediaLinks } from './features/media/media.links';
import type { MediaStore } from './features/media/media.store';
import type { NotificationAnnouncer } from './features/notifications/notification.announcer';
import type { ChatAnnouncer } from './features/sockets/chat.announcer';

interface IngestParts extends Pick<CallbackDependencies, 'devices' | 'isSending'> {
  readonly database: Database;
  readonly queue: JobQueue<ChatJobs>;
  readonly announcer: ChatAnnouncer;
  readonly notifications: NotificationAnnouncer;
  readonly media: MediaLinks;
  readonly files: MediaStore;
  readonly logger: Logger;
}

/** Four days: the gateway promises files that WhatsApp does not give at the moment. */
const FILE_ATTEMPTS = 25;

/** What comes in from the gateway. */
export const composeIngest = (
  { CALLBACK_SECRET, OPT_OUT_WORDS, COMMERCE_URL, STICKY_HOURS }: Config,
  { database, queue, devices, announcer, notifications, media, files, isSending, logger }: IngestParts,
): { endpoints: Endpoint[]; components: Component[] } => {
  const jobs: IngestJobs = {
    automation: (payload, key) => queue.expression('automation', { payload, key }),
    contact: COMMERCE_URL === undefined ? undefined : contactExpression(queue),
    event: COMMERCE_URL === undefined ? undefined : eventExpression(queue),
    members: COMMERCE_URL === undefined ? undefined : toldExpression(queue),
    file: (payload, key) => queue.expression('remoteFile', { payload, key, maxAttempts: FILE_ATTEMPTS }),
  };
  const messages = new IngestRepository(database, ingestStatement(jobs, STICKY_HOURS), logger);
  const aliases = new AliasRepository(database, jobs);
  const callbacks = new CallbackService({
    devices,
    messages,
    aliases,
    redelivery: new Redelivery(messages, aliases, files),
    news: new InboundAnnouncer(media, announcer, notifications),
    optOutWords: OPT_OUT_WORDS,
    isSending,
  });
  const statuses = new StatusService({ devices, statuses: new StatusRepository(database), announcer, notifications });
  const services = { callbacks, statuses };
  return { endpoints: callbackEndpoints(services, files, { secrets: CALLBACK_SECRET }), components: [messages] };
};
