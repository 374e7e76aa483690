// What other features of this app may use.
export { ChatRef } from './inbox.dto';
