// What other features of this app may use.
export type { MediaReader } from './file.fetcher';
export type { FileStore, StoredFile } from './file.store';
export type { InboundMedia, WaitingRow } from './inbound-media.service';
export type { LateFiles } from './late-files.service';
export { checkMedia, largest } from './media-limits';
