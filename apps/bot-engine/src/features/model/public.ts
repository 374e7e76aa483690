// What other features of this app may use.
export { ModelError, providers, type ChatMessage, type ModelName, type Provider, type ToolSchema } from './chat.model';
export { costMicros, dollars, type Price } from './cost';
export type { AskModel, Attempt, PricedAttempt } from './model.attempts';
export type { Prices } from './price.repository';
