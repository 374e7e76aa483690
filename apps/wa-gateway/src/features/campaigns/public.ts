// What other features of this app may use.
export { fieldsOf, fill, pickFields } from './broadcast-template';
export { progressOf, tellProgress } from './broadcast.progress';
export {
  BroadcastCommand,
  BroadcastProgressReply,
  SendBroadcast,
  SendBroadcastReply,
  type BroadcastAnswer,
  type BroadcastProgress,
  type Recipient,
  type RejectedRecipient,
} from './broadcasts.dto';
export { bulkDelays, bulkPace } from './bulk-pace';
export type { BulkAdmission } from './bulk.admission';
export type { CampaignLane, LanePort } from './campaign.lane';
export type { BroadcastAction, BroadcastRow, CampaignsRepository, NewBroadcast } from './campaigns.repository';
export type { Stretch } from './forecast';
export { defaultPace, type Pace } from './pace';
export type { Timetable } from './timetable';
