export { AgentKnowledge, agentProviders, AgentRow, type AgentProvider } from './bot-agent.dto';
export {
  callbackFields,
  callbackParts,
  callbackRefusals,
  CALLBACK_FILE_PART,
  CALLBACK_STATUS_UPDATED,
  messageKinds,
  type CallbackExtras,
  type CallbackPayload,
  type MessageKind,
  type StatusUpdate,
} from './callback-payload';
export { CallbackPayloadDto } from './callback-payload.dto';
export { callbackTime, readCallback } from './callback-reading';
export {
  callbackHeaderNames,
  callbackHeaders,
  callbackSignature,
  CALLBACK_WINDOW_MS,
  openCallbackCheck,
  verifyCallbackSignature,
  type CallbackCheck,
  type CallbackStamp,
  type ReceivedHeaders,
} from './callback-signature';
export {
  asAuthEvent,
  AUTH_EVENTS_CHANNEL,
  isClaims,
  serviceRoles,
  TOKEN_ISSUER,
  tokenTypes,
  userRoles,
  type AuthEvent,
  type AuthEventPage,
  type Claims,
  type MembershipEvent,
  type RevokeEvent,
  type Role,
  type ServiceRole,
  type TokenType,
  type UserRole,
} from './claims';
export {
  callbackStatuses,
  deliveryStatusCode,
  deliveryStatuses,
  deliveryStatusOf,
  furtherStatus,
  isCallbackStatus,
  isDeliveryStatus,
  type CallbackStatus,
  type DeliveryStatus,
} from './delivery-status';
export { linkCodeOf, withLinkCode } from './link-code';
export { foldText, matchRule, ruleMatches, type KeywordRule, type RuleMatch } from './match-rule';
export {
  hidesNumber,
  jidOf,
  LONGEST_ADDRESS,
  nohpOf,
  normaliseNohp,
  parseAddress,
  parseCallbackNumber,
  type ChatAddress,
} from './phone';
export { chatRooms, gatewayRooms } from './realtime-rooms';
