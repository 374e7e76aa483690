export { signedCalls } from './call.guard';
