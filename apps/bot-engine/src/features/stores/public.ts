// What other features of this app may use.
export { composeStores } from './stores.composition';
export { localStores, type NewStore, type StoreDirectory } from './store.directory';
export type { ProductFact, Store, StoreFacts } from './store.entity';
