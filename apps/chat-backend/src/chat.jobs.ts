import type { AutomationPayload } from './features/automation/automation.payload';
import type { ContactPayload } from './features/automation/contact.payload';
import type { BroadcastFillPayload } from './features/broadcasts/broadcast-fill.payload';
import type { RemoteFilePayload } from './features/ingest/remote-file.payload';

/** Jobs of this service and the JSON that each takes. */
export interface ChatJobs {
  automation: AutomationPayload;
  remoteFile: RemoteFilePayload;
  contact: ContactPayload;
  timers: object;
  'broadcast.fill': BroadcastFillPayload;
}
