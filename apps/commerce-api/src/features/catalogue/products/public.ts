export { ProductImage } from './product.dto';
export { productKinds, productStatuses } from './products.dto';
