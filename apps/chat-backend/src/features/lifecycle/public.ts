// What other features of this app may use.
export { actorOf } from './actor';
export type { Attachment } from './change.notes';
export type { ChatTransitions, ToldChange } from './chat.transitions';
export { changing, lifecycle, lifecycleText } from './lifecycle.endpoints';
export type { LifecycleRepository } from './lifecycle.repository';
export type { Actor } from './transition';
