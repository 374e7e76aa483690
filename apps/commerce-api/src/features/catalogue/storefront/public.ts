export { StorefrontQuery, type StorefrontProduct } from './storefront.dto';
export { productOf, shelvesOf, windowOf, type ShopWindow } from './storefront.sql';
