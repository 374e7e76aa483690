export { cartsForget } from './carts.forget';
