import { PageCursor, type Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { Component, Logger } from '@platform/runtime';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { broadcastEndpoints } from './features/broadcasts/broadcast.endpoints';
import { BroadcastDesk } from './features/broadcasts/broadcast.desk';
import { BroadcastRepository } from './features/broadcasts/broadcast.repository';
import { BroadcastService } from './features/broadcasts/broadcast.service';
import { BroadcastSteps } from './features/broadcasts/broadcast.steps';
import { CampaignEnds } from './features/broadcasts/campaign.ends';
import { CampaignFill } from './features/broadcasts/campaign.fill';
import { broadcastDeskEndpoints } from './features/broadcasts/desk.endpoints';
import { LifecycleRepository } from './features/lifecycle/lifecycle.repository';
import type { MinuteTask } from './features/lifecycle/minute.tasks';
import { MediaIntake } from './features/media/media.intake';
import { TemplateRepository } from './features/outbound/templates';
import { AccessRepository } from './features/tenancy/access.repository';
import type { Inbox } from './inbox.composition';

interface BroadcastParts {
  readonly database: Database;
  readonly inbox: Pick<Inbox, 'outbound' | 'sends' | 'announcer' | 'notifications' | 'files'>;
  readonly queue: JobQueue<ChatJobs>;
  readonly logger: Logger;
}

export interface Broadcasts {
  readonly endpoints: readonly Endpoint[];
  readonly components: readonly Component[];
  /** Moves campaigns on: the outbox tells it of rows that ended, the job of the same name begins. */
  readonly fill: CampaignFill;
  /** Starts what is due and moves on what stands still. */
  readonly timer: MinuteTask;
}

/** Campaigns. */
export const composeBroadcasts = (config: Config, { database, inbox, queue, logger }: BroadcastParts): Broadcasts => {
  const repository = new BroadcastRepository();
  const ends = new CampaignEnds({ database, notifications: inbox.notifications, logger });
  const fill = new CampaignFill({ database, queue, logger, ends, ...inbox });
  const steps = new BroadcastSteps({ database, repository, lifecycle: new LifecycleRepository(), fill, ends });
  const intake = new MediaIntake(inbox.files, { ownFiles: [] });
  const maxPerMinute = config.BROADCAST_MAX_PER_MINUTE;
  const content = { templates: new TemplateRepository(database), intake, maxPerMinute };
  const needs = { database, repository, access: new AccessRepository(database), steps, content };
  return {
    endpoints: [
      ...broadcastEndpoints(new BroadcastService(needs)),
      ...broadcastDeskEndpoints(new BroadcastDesk({ ...needs, cursor: new PageCursor(config.MEDIA_SECRET) })),
    ],
    components: [ends.numbers],
    fill,
    timer: { run: async () => void (await steps.sweep()) },
  };
};
