import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { changesTold } from './features/automation/public';
import { escalationEndpoints } from './features/escalation/escalation.endpoints';
import { EscalationService } from './features/escalation/escalation.service';
import { ChatTimers } from './features/lifecycle/chat.timers';
import { ChatTransitions } from './features/lifecycle/chat.transitions';
import { lifecycleEndpoints } from './features/lifecycle/lifecycle.endpoints';
import { LifecycleRepository } from './features/lifecycle/lifecycle.repository';
import { LifecycleService } from './features/lifecycle/lifecycle.service';
import { minuteTasks, type MinuteTask } from './features/lifecycle/minute.tasks';
import { SlaTimer } from './features/lifecycle/sla.timer';
import { MediaAge } from './features/media/media.age';
import { OldRows } from './features/retention/old-rows';
import type { Inbox } from './inbox.composition';

interface LifecycleParts {
  readonly database: Database;
  readonly queue: JobQueue<ChatJobs>;
  readonly inbox: Pick<Inbox, 'announcer' | 'notifications' | 'media' | 'chats' | 'files' | 'sends'>;
  /** Chats that are ended and rows that are deleted do not come back: no process does it by a time of its own. */
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Lifecycle {
  readonly endpoints: readonly Endpoint[];
  readonly transitions: ChatTransitions;
  /** What the passing of a minute does. */
  readonly timers: MinuteTask;
}

/** What changes the state of a chat: people, escalations, and time. */
export const composeLifecycle = (
  config: Pick<
    Config,
    'AUTO_FINISH_MIN' | 'COMMERCE_URL' | 'PENDING_FINISH_MIN' | 'MEDIA_TTL_DAYS' | 'NOTIFICATION_DAYS' | 'HISTORY_DAYS'
  >,
  { database, queue, inbox, clock, logger }: LifecycleParts,
): Lifecycle => {
  const { announcer, notifications, media, chats, files, sends } = inbox;
  const repository = new LifecycleRepository();
  const transitions = new ChatTransitions(database, {
    ...{ repository, announcer, notifications, media },
    ...(config.COMMERCE_URL !== undefined && { told: changesTold(queue) }),
  });
  const needs = { database, repository, chats, announcer };
  return {
    endpoints: [
      ...lifecycleEndpoints(new LifecycleService(transitions, { ...needs, sends })),
      ...escalationEndpoints(new EscalationService(transitions, { ...needs, files })),
    ],
    transitions,
    timers: minuteTasks(
      [
        new ChatTimers(database, transitions, {
          ...{ autoFinishMinutes: config.AUTO_FINISH_MIN, pendingFinishMinutes: config.PENDING_FINISH_MIN },
          ...{ logger, clock },
        }),
        new SlaTimer(database, { notifications, clock }),
        new MediaAge(database, { store: files, days: config.MEDIA_TTL_DAYS, clock }),
        new OldRows(database, { notificationDays: config.NOTIFICATION_DAYS, historyDays: config.HISTORY_DAYS, clock }),
      ],
      logger,
    ),
  };
};
