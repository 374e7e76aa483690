export { createStore } from './store.sql';
export { storeCopies } from './store.copy';
