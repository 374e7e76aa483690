// What other features of this app may use.
export { ChatRef } from './inbox.dto';
export { NO_CHAT, noSuchChatExamples } from './inbox.examples';
