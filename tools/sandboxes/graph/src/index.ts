export { startGraphSandbox, type GraphSandbox, type GraphSandboxOptions } from './server';
export type { WaFault } from './wa/whatsapp.faults';
export type { WebhookAttempt, WebhookSubscription } from './wa/webhook.sender';
export type { Inbound } from './wa/inbound.message';
export type { BusinessNumber, SentMessage } from './wa/whatsapp.store';
