import type { Database } from '@platform/data';
import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { stockRefusals } from '../levels/public';
import { countStock, stockOf } from './warehouse-stock';
import {
  CountedStock,
  StockCount,
  Warehouse,
  WarehouseBody,
  WarehousesQuery,
  WarehouseStock,
  WarehouseStockQuery,
} from './warehouses.dto';
import {
  changeWarehouse,
  closeWarehouse,
  createWarehouse,
  makeDefault,
  warehouseListing,
  warehouseRefusals,
} from './warehouses.sql';

const stockEndpoints = (database: Database, by: ReturnType<typeof byOf>): Endpoint[] => [
  endpoint({
    get: '/{id}/stock',
    summary: 'Stock per variant, low-stock filter',
    guard: 'product.read',
    query: WarehouseStockQuery,
    reply: pageOf(WarehouseStock),
    refuses: ['notFound'],
    handle: ({ caller, params, query }) => stockOf(database, caller.storeId, params.id, query),
  }),
  endpoint({
    put: '/{id}/stock',
    summary: 'Stock count (opname)',
    guard: 'stock.write',
    body: StockCount,
    reply: dataOf(CountedStock, 'Stock counted'),
    refuses: ['notFound', stockRefusals.belowReserved],
    handle: (input) => countStock(database, by(input), input.params.id, input.body),
  }),
];

const rowEndpoints = (database: Database, by: ReturnType<typeof byOf>): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'Warehouses',
    guard: 'product.read',
    query: WarehousesQuery,
    reply: pageOf(Warehouse),
    refuses: [],
    handle: ({ caller, query }) => warehouseListing.page(database, caller.storeId, query),
  }),
  endpoint({
    post: '',
    summary: 'Create warehouse',
    guard: 'warehouse.write',
    status: 201,
    body: WarehouseBody,
    reply: dataOf(Warehouse, 'Warehouse created'),
    refuses: [warehouseRefusals.tooMany],
    handle: (input) => database.tx((tx) => createWarehouse(tx, by(input), input.body)),
  }),
  endpoint({
    put: '/{id}',
    summary: 'Update warehouse',
    guard: 'warehouse.write',
    body: WarehouseBody,
    reply: dataOf(Warehouse, 'Warehouse updated'),
    refuses: ['notFound'],
    handle: (input) => database.tx((tx) => changeWarehouse(tx, by(input), input.params.id, input.body)),
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Close an empty warehouse',
    guard: 'warehouse.write',
    reply: done('Warehouse deleted'),
    refuses: ['notFound', warehouseRefusals.notEmpty, warehouseRefusals.isDefault],
    handle: (input) => database.tx((tx) => closeWarehouse(tx, by(input), input.params.id)),
  }),
  endpoint({
    put: '/{id}/default',
    summary: 'Make warehouse the default',
    guard: 'warehouse.write',
    reply: dataOf(Warehouse, 'Warehouse updated'),
    refuses: ['notFound'],
    handle: (input) => database.tx((tx) => makeDefault(tx, by(input), input.params.id)),
  }),
];

export const warehousesEndpoints = (database: Database, clock: Clock): Endpoint[] =>
  area({ prefix: '/api/warehouse', tag: 'Shipping' }, [
    ...rowEndpoints(database, byOf(clock)),
    ...stockEndpoints(database, byOf(clock)),
  ]);
