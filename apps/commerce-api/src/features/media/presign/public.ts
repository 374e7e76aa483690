export { settlingFirst } from './settling';
