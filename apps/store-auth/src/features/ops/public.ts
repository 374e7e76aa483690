// What other features of this app may use.
export { randomPassword } from './ops.service';
