export { adsEnvelope } from './ads.envelope';
export { botStatusCodeEnvelope, botStatusEnvelope, botTextEnvelope } from './bot.envelope';
export {
  chatCallbackEnvelope,
  chatEnvelope,
  chatInboundEnvelope,
  chatSchedulerEnvelope,
  chatServiceEnvelope,
} from './chat.envelope';
export { commerceBareEnvelope, commerceEnvelope } from './commerce.envelope';
export { describeFailures, failureKinds, failureOf, type DescribedFailure } from './described-failures';
export { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';
export { gatewayEnvelope } from './gateway.envelope';
export { plainEnvelope, statusOf } from './plain.envelope';
export { fieldErrorsOf, refusalOf, type Refusal } from './refusal';
export { storeAuthEnvelope } from './store-auth.envelope';
