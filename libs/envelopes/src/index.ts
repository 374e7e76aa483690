export { adsEnvelope } from './ads.envelope';
export { botStatusCodeEnvelope, botStatusEnvelope, botTextEnvelope } from './bot.envelope';
export { chatCallbackEnvelope, chatEnvelope, chatInboundEnvelope, chatSchedulerEnvelope } from './chat.envelope';
export { commerceBareEnvelope, commerceEnvelope } from './commerce.envelope';
export { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';
export { gatewayEnvelope } from './gateway.envelope';
export { plainEnvelope, statusOf } from './plain.envelope';
export { storeAuthEnvelope } from './store-auth.envelope';
