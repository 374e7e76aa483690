// What other features of this app may use.
export { composeCatalogue, type CatalogueParts, type CopiedCatalogue } from './catalogue.composition';
export type { ProductQuery, ProductSearch } from './product.search';
