export { MediaLibrary } from './media.library';
export { mediaRefusals } from './media.library';
export { FILE_LIMIT, FORM_MARGIN } from './uploads.endpoints';
export { Media } from './uploads.dto';
