export { CodeSender } from './code.sender';
