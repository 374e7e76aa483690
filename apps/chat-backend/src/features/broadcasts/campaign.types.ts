import type { OutgoingFile } from '../media/public';
import type { AudienceFilter, BroadcastStatus, QuietHours } from './broadcast.dto';

/** A campaign by its public id `<store>.<uuid>`. */
export interface CampaignKey {
  readonly storeId: string;
  readonly broadcastId: string;
}

/** A campaign that something is to be done with. */
export interface Waiting extends CampaignKey {
  /** Whether its store may send. */
  readonly sends: boolean;
}

/** A campaign whose device is gone. */
export interface Deviceless extends CampaignKey {
  readonly status: 'scheduled' | 'sending';
}

/** BroadcastStruct as PostgreSQL built it. */
export interface CampaignRecord {
  readonly status: BroadcastStatus;
}

/** Seconds between two messages, for the gateway to draw from (wa-gateway design 3.6). */
export interface Pace {
  readonly delay_min: number;
  readonly delay_max: number;
}

/** What every recipient gets, before their placeholders are filled. */
export interface CampaignContent {
  readonly type: string;
  readonly text: string | null;
  readonly caption: string | null;
  readonly detail: Readonly<Record<string, string>> | null;
  readonly media: OutgoingFile | null;
}

/** Column `body` of broadcasts: all that sending needs to know, fixed when the campaign is saved. */
export interface CampaignBody {
  readonly content: CampaignContent;
  readonly bulk: Pace;
  readonly jam_tenang: QuietHours | null;
  readonly filter: AudienceFilter | null;
}
