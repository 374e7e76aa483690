export {
  startGraphSandbox,
  type BusinessNumber,
  type GraphSandbox,
  type Inbound,
  type SentMessage,
  type WaFault,
  type WebhookAttempt,
} from '@platform/sandbox-graph';
