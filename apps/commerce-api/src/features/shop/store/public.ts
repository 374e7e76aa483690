export { createStore } from './store.sql';
