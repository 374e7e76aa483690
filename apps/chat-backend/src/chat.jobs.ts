import type { AutomationPayload } from './features/automation/automation.job';
import type { CampaignKey } from './features/broadcasts/campaign.types';
import type { RemoteFilePayload } from './features/media/remote-file.job';
import type { ContactPayload } from './features/automation/contact.job';

/** Jobs of this service and the JSON that each takes. */
export interface ChatJobs {
  automation: AutomationPayload;
  remoteFile: RemoteFilePayload;
  contact: ContactPayload;
  timers: object;
  'broadcast.fill': CampaignKey;
}
