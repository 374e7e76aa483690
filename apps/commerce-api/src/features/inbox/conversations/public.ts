export { conversationIdOf, conversationOf, conversationText, type ConversationRef } from './conversation.id';
export { contactsBeside, demandAllChats, shownConversation, type ChatRow } from './conversation.view';
export type { Conversation } from './conversations.dto';
export { conversationsEndpoints } from './conversations.endpoints';
export { ConversationsService } from './conversations.service';
