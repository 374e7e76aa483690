export { contactsBeside } from './conversation.view';
export { conversationIdOf } from './conversation.id';
export { demandAllChats, type ChatRow } from './conversation.view';
export { conversationsEndpoints } from './conversations.endpoints';
export { ConversationsService } from './conversations.service';
