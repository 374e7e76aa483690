import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import { catalogueAbilities } from './catalogue.abilities';
import { categoryPages } from './categories/categories.pages';
import { categoriesEndpoints } from './categories/categories.endpoints';
import { tellProducts } from './categories/category.renamed';
import { categoryChoices } from './categories/categories.sql';
import { exportEndpoints } from './exports/export.endpoints';
import { exportPages } from './exports/export.pages';
import { picturesOfProducts } from './images/images.actions';
import { ProductImagesService, type MediaLibrary } from './images/images';
import { imagesEndpoints } from './images/images.endpoints';
import { productPages } from './products/product.actions';
import { productStockEndpoints } from './products/product-stock.endpoints';
import { productWriteEndpoints } from './products/product-write.endpoints';
import { ProductWriteService } from './products/product-write.service';
import { productsEndpoints } from './products/products.endpoints';
import { ProductsRepository } from './products/products.repository';
import { ProductsService } from './products/products.service';
import { stockEndpoints } from './stock/stock.endpoints';
import { StockRepository } from './stock/stock.repository';
import { StockService } from './stock/stock.service';
import { storefrontEndpoints } from './storefront/storefront.endpoints';
import { variantsEndpoints } from './variants/variants.endpoints';
import { VariantsService } from './variants/variants.service';

interface CatalogueParts extends AreaParts {
  readonly media: MediaLibrary;
  /** Open ones of the store, the default one first. */
  readonly warehouses: (storeId: string) => Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Products, their variants, pictures and categories. */
export const composeCatalogue = ({ PUBLIC_URL }: Config, parts: CatalogueParts): Area => {
  const { database, clock, cursors, queue, media, warehouses } = parts;
  const [by, renamed] = [byOf(clock), tellProducts(database, clock)];
  const products = new ProductsService(new ProductsRepository(database), PUBLIC_URL);
  const categories = (storeId: string) => categoryChoices(database, storeId);
  return {
    endpoints: [
      ...stockEndpoints(new StockService(new StockRepository(database))),
      ...productsEndpoints(products),
      ...exportEndpoints(database),
      ...productWriteEndpoints({ database, products: new ProductWriteService(database), by }),
      ...imagesEndpoints(new ProductImagesService(database, media), by),
      ...productStockEndpoints(database, cursors, by),
      ...variantsEndpoints(database, new VariantsService(database), clock),
      ...categoriesEndpoints({ database, clock, queue }),
      ...storefrontEndpoints(database),
    ],
    components: [],
    pages: [
      categoryPages({ database, clock, queue }),
      exportPages(database),
      productPages({
        ...{ database, clock, cursors, products, categories, warehouses },
        pictures: picturesOfProducts({ media, by }),
      }),
    ],
    abilities: catalogueAbilities,
    // The same again changes nothing
    jobs: { 'category.renamed': { effect: 'inside', run: (category, { signal }) => renamed(category, signal) } },
  };
};
