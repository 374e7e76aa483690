// What other features of this app may use.
export type { Bubble } from './bubbles';
export type { OutboundPayload } from './delivery';
export { failSend } from './failed-send.sql';
export { expressTypes, type ExpressType } from './outbound.dto';
export type { NewChat, OutboundMessage, OutboundRepository, Sent } from './outbound.repository';
export type { OutboundService } from './outbound.service';
export { composeAs, previewOf, type Content } from './send-kinds';
export { fillPlaceholders, type TemplateRepository } from './templates';
