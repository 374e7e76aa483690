export type { BroadcastMeta } from './broadcast.view';
