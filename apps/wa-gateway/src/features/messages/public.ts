// What other features of this app may use.
export { checkEngineLimits } from './engine-limits';
export { CALLS } from './messages.sql';
export { messageIdOf } from './message-id';
export type { MessageReports } from './message-reports.service';
export {
  Bulk,
  SendData,
  SendLocation,
  SendMedia,
  SendMediaReply,
  SendMessage,
  SendMessageReply,
  mediaUses,
  type SentData,
  type SentMediaData,
} from './messages.dto';
export type { AcceptedSend, MessagesRepository, NewSend, OutPayload, UnsentMessage } from './messages.repository';
export { capabilityOf, isMedia } from './out-content';
export { OutgoingQueue, type OutgoingOptions, type Try } from './outgoing.queue';
export type { SendDrafts } from './send-drafts';
export { TokenBucket } from './token-bucket';
