export { blobEndpoint } from './blob.endpoint';
export { Renditions } from './renditions';
