export { shopPagesOf } from './policies';
