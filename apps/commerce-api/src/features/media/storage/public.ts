export { MediaDisk } from './media.disk';
export { openStore } from './open.store';
export { putBytes } from './put.bytes';
export type { Audience, ObjectStore } from './object.store';
export { deleteWhole, originalsOf, renditionKey } from './rendition.keys';
