// What other features of this app may use.
export { conversationRepository } from './conversation.repository';
export type {
  CommittedRun,
  ConversationRef,
  Conversations,
  FinishedRun,
  FinishedTurn,
  HandedOver,
  LoggedRequest,
  Opened,
  Replay,
  RunStatus,
  SaidLine,
  StoredReply,
} from './conversation.types';
export { standing, type Cycle, type Standing } from './standing';
