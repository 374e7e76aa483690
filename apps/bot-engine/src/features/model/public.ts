// What other features of this app may use.
export type { ChatMessage } from './chat.model';
export { costMicros, dollars, type Price } from './cost';
export type { AskModel, Attempt } from './model.attempts';
export type { Prices } from './price.repository';
