// What other features of this app may use.
export { signingKeyPurpose, type KeyRing } from './key-ring.service';
