export { keyColumns, sealedFor } from './key.seal';
export { keyStates, KeysBody, KeysQuery, type LicenseKey } from './keys.dto';
export { LIST_LIMIT } from './keys.endpoints';
export { type KeysService } from './keys.service';
