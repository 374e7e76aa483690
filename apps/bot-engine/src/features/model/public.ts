// What other features of this app may use.
export { loggedAttempt, reportTrouble } from './attempts.report';
export {
  ModelError,
  type ChatMessage,
  type ChatReply,
  type ModelName,
  type Part,
  type Provider,
  type ToolCall,
  type ToolSchema,
} from './chat.model';
export { costMicros, dollars, type Price } from './cost';
export { MOST_TEXTS, type Embedder } from './embedding.client';
export type { AskModel, Attempt, PricedAttempt, Question } from './model.attempts';
export { modelsOf } from './model.names';
export type { ModelRoom } from './model.composition';
export { priced, pricedAttempt } from './priced.attempts';
export type { Prices } from './price.repository';
export { addRequests, REQUEST_COLUMNS, requestRow, type Purpose, type RequestOwner } from './request.log';
export type { SideOutcome } from './side.call';
export type { Transcribe } from './speech.client';
