export { PublicStore } from './store.dto';
export { createStore, sellerOf, type Seller } from './store.sql';
export { storeCopies } from './store.copy';
export { StoreStanding } from './store.standing';
export { NewStoreBody, StoreChange, StoreStatusChange, StoreView } from './store.dto';
export { editableOf, StoreService, type StoreParts } from './store.service';
