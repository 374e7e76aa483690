// What other features of this app may use.
export { factsForPeople, factsIn, factsLine, textIn, withFacts } from './conversation.facts';
export { dataResult, errorResult, visible } from './tool.result';
export {
  handoverReasons,
  NO_FACTS,
  type ConversationFacts,
  type Handover,
  type HandoverReason,
  type KnownProduct,
  type OpenQuote,
  type StepRecord,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from './tool.types';
export { callKey, TurnTools, type Dispatch, type Dispatched, type ToolBox } from './turn.tools';
