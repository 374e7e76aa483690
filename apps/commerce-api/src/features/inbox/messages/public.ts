export { MessageContents, type MessageFiles } from './message.contents';
export {
  FileFields,
  ConversationMessage,
  NewConversationMessage,
  PlaceFields,
  contentTypes,
  fileTypes,
  type ContentType,
} from './messages.dto';
export { OWNER_NAMES, shownMessage, typeOf, type ChatMessageRow } from './message.view';
