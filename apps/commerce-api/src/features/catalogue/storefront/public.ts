export { StorefrontQuery, type StorefrontCategory, type StorefrontProduct } from './storefront.dto';
export { categoriesOf, productOf, shelvesOf, windowOf, type ShopWindow } from './storefront.sql';
