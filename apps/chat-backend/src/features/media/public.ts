// What other features of this app may use.
export type { MediaIntake, MediaSource, OutgoingFile } from './media.intake';
export { mediaLabels } from './media.labels';
export type { MediaLinks } from './media.links';
export type { MediaStore } from './media.store';
export type { StoredMedia } from './stored-media';
