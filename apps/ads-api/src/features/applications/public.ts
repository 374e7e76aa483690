// What other features of this app may use.
export { isUsableKey } from './public-key';
