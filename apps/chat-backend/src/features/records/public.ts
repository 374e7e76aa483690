// What other features of this app may use.
export { mayBeAsked } from './asked.sql';
export { likeText, likeWords } from './like';
export { chatIdOf, parseChatId, parseInboxId, type ConversationKey } from './public-id';
export { gained, gains, moved, movements, RECIPIENT_NAMES } from './recipient-moves.sql';
export {
  ChatHistoryStruct,
  ChatInboxStruct,
  ChatListStruct,
  CustomerStruct,
  DeviceStruct,
  HandleGudangStruct,
  InboxReply,
} from './record.dto';
export {
  chatStatuses,
  customerRecord,
  deviceRecord,
  epoch,
  escalateStatuses,
  historyList,
  historyRecord,
  inboxRecord,
  listRecord,
  minute,
  orderRecord,
  warehouseRecord,
  type ChatStatus,
} from './record.sql';
export { JOINED, STORED_COLUMNS, storedJoins, storedListRecord } from './stored-record.sql';
export { resultOf, resultText } from './result-text';
export { ticketNumber } from './ticket-number.sql';
export { toBot } from './to-bot';
