export { closeAt } from './closes';
