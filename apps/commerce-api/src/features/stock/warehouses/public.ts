export { refuseTwice } from './warehouse-stock';
export { openWarehouse, openWarehouses } from './warehouses.sql';
