export { keyColumns, sealedFor } from './key.seal';
