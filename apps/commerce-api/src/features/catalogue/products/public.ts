export { ProductImage, type NewProduct, type Product, type ProductChange } from './product.dto';
export { newProductFaults, publishingFaults, withoutHtml } from './product.rules';
export { productById } from './product.sql';
export { ProductWriteService } from './product-write.service';
export { productKinds, productStatuses, type ProductRow } from './products.dto';
