import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { Config } from './config';
import { MediaIntake } from './features/media/media.intake';
import type { MediaLinks } from './features/media/media.links';
import type { MediaStore } from './features/media/media.store';
import { ownFiles } from './features/media/own-files';
import { ExpressService } from './features/outbound/express.service';
import { outboundEndpoints } from './features/outbound/outbound.endpoints';
import { OutboundRepository } from './features/outbound/outbound.repository';
import { OutboundService } from './features/outbound/outbound.service';
import { TemplateRepository } from './features/outbound/templates';
import type { ChatAnnouncer } from './features/sockets/chat.announcer';
import type { AccessRepository } from './features/tenancy/access.repository';
import type { ChatFinder } from './features/tenancy/chat.finder';

interface OutboundParts {
  readonly database: Database;
  readonly access: AccessRepository;
  readonly chats: ChatFinder;
  readonly announcer: ChatAnnouncer;
  readonly media: MediaLinks;
  readonly files: MediaStore;
}

/** What people, the bot and sibling services send. */
export const composeOutbound = (
  config: Config,
  { database, access, chats, announcer, media, files }: OutboundParts,
): { endpoints: Endpoint[]; outbound: OutboundService; sends: OutboundRepository } => {
  const sends = new OutboundRepository(database);
  const intake = new MediaIntake(files, { ownFiles: ownFiles(config).ofBot });
  const rejectOffline = config.OUTBOX_OFFLINE === 'reject';
  const outbound = new OutboundService(sends, { database, chats, announcer, media, intake, rejectOffline });
  const templates = new TemplateRepository(database);
  const express = new ExpressService(outbound, { access, chats, templates, sends });
  return { endpoints: outboundEndpoints(outbound, express), outbound, sends };
};
