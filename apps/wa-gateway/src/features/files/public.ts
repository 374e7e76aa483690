// What other features of this app may use.
export type { FileStore, StoredFile } from './file.store';
export type { InboundMedia, WaitingRow } from './inbound-media.service';
export { checkMedia, largest } from './media-limits';
