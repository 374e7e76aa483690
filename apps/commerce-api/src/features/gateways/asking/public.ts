export { Asking, lockPaid } from './ask';
