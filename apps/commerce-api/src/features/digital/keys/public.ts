export { sealedFor } from './key.seal';
