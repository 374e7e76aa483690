// What other features of this app may use.
export type { StoreDirectory } from './store.directory';
export type { ProductFact, Store } from './store.entity';
