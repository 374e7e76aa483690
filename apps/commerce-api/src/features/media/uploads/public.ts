export { MediaArrivals } from './media.arrivals';
export { filePlaces } from './media.quota';
export { MediaLibrary, type MessageFile } from './media.library';
export { FILE_LIMIT, largestOf, LARGEST_FILE, mediaRefusals, PUBLIC, sweptWhenHidden, type Kept } from './media.rules';
export { FORM_MARGIN, hiddenFrom } from './uploads.endpoints';
export { Media, MediaQuery, purposes, UploadBody, type Purpose } from './uploads.dto';
