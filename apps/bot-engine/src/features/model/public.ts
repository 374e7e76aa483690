// What other features of this app may use.
export { loggedAttempt, reportTrouble } from './attempts.report';
export {
  ModelError,
  providers,
  type ChatMessage,
  type ChatReply,
  type ModelName,
  type Part,
  type Provider,
  type ToolCall,
  type ToolSchema,
} from './chat.model';
export { costMicros, dollars, type Price } from './cost';
export type { AskModel, Attempt, PricedAttempt, Question } from './model.attempts';
export { modelsOf } from './model.names';
export { priced } from './priced.attempts';
export type { Prices } from './price.repository';
