export { newKey, MediaDisk } from './media.disk';
export { filePlaces } from './media.quota';
export { MediaLibrary } from './media.library';
export { FILE_LIMIT, largestOf, LARGEST_FILE, mediaRefusals, sweptWhenHidden } from './media.rules';
export { FORM_MARGIN } from './uploads.endpoints';
export { Media, purposes, type Purpose } from './uploads.dto';
