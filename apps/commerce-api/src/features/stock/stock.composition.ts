import type { PickingParts } from '../sales/picking/public';
import { transferPages } from './transfers/transfers.pages';
import { warehousePages } from './warehouses/warehouses.pages';
import type { Area, AreaParts } from '../../area';
import { stockAbilities } from './stock.abilities';
import { transfersEndpoints } from './transfers/transfers.endpoints';
import { warehousesEndpoints } from './warehouses/warehouses.endpoints';

type Parts = AreaParts & Pick<PickingParts, 'goods'>;

/** Warehouses and what is in them; `levels` is what orders will reserve and sell by. */
export const composeStock = ({ database, clock, goods }: Parts): Area => ({
  endpoints: [...transfersEndpoints(database, clock), ...warehousesEndpoints(database, clock)],
  components: [],
  pages: [warehousePages({ database, clock }), transferPages({ database, clock, goods })],
  abilities: stockAbilities,
});
