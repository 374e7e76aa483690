// What other features of this app may use.
export { composeStores } from './stores.composition';
export type { StoreDirectory } from './store.directory';
export type { ProductFact, Store } from './store.entity';
