// What other features of this app may use.
export {
  handoverReasons,
  NO_FACTS,
  toolNames,
  type ConversationFacts,
  type Handover,
  type HandoverReason,
  type KnownProduct,
  type OpenQuote,
  type StepRecord,
  type Tool,
  type ToolContext,
  type ToolName,
  type ToolOutcome,
} from './tool.types';
