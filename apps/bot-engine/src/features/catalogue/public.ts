// What other features of this app may use.
export { composeCatalogue, type CatalogueParts } from './catalogue.composition';
export type { ProductQuery, ProductSearch } from './product.search';
