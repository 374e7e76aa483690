export { OpenHours, PublicStore } from './store.dto';
export { createStore } from './store.sql';
export { storeCopies } from './store.copy';
export { StoreStanding } from './store.standing';
