export { NewProduct, Product, ProductChange, ProductImage } from './product.dto';
export { newProductFaults, productRefusals, publishingFaults, withoutHtml } from './product.rules';
export { productById } from './product.sql';
export { productTexts } from './products.texts';
export { StatusChip, StockChip } from './products.view';
export { ProductWriteService } from './product-write.service';
export { productKinds, ProductRow, productStatuses, VariantRow } from './products.dto';
export { ProductsService } from './products.service';
export { ProductsRepository } from './products.repository';
