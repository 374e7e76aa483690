export { refuseTwice } from './warehouse-stock';
export { openWarehouse } from './warehouses.sql';
