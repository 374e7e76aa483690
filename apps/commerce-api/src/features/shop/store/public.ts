export { OpenHours, PublicStore } from './store.dto';
export { createStore, sellerOf, type Seller } from './store.sql';
export { storeCopies } from './store.copy';
export { StoreStanding } from './store.standing';
export { shopActions, shopLabels } from './shop.actions';
export { shopProfileTexts } from './shop.texts';
export { ShopForms } from './shop.view';
export { StoreView } from './store.dto';
export { StoreService, type StoreParts } from './store.service';
