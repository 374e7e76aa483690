export { StorefrontQuery, type StorefrontCategory, type StorefrontProduct } from './storefront.dto';
export { productOf, shelvesOf, waysOf, windowOf, type ShopWindow, type Ways } from './storefront.sql';
