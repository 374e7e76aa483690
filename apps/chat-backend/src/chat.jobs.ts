import type { AnswerPayload, AutomationPayload, BotAskPayload } from './features/automation/automation.payload';
import type { CommerceEventPayload } from './features/automation/commerce-event.payload';
import type { ContactPayload } from './features/automation/contact.payload';
import type { BroadcastFillPayload } from './features/broadcasts/broadcast-fill.payload';
import type { RemoteFilePayload } from './features/ingest/remote-file.payload';
import type { AdoptPayload } from './features/sync/adopt.payload';

/** Jobs of this service and the JSON that each takes. */
export interface ChatJobs {
  /** The release before asked the bot in this job: those that it left behind carry what `bot.ask` takes. */
  automation: AutomationPayload | BotAskPayload;
  answer: AnswerPayload;
  'bot.ask': BotAskPayload;
  remoteFile: RemoteFilePayload;
  contact: ContactPayload;
  /** Of a ticket that was solved, a link that somebody came by, and a customer who waits for somebody. */
  'commerce.event': CommerceEventPayload;
  timers: object;
  'broadcast.fill': BroadcastFillPayload;
  adopt: AdoptPayload;
}
