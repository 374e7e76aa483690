import type { Area, AreaParts } from '../../area';
import { stockAbilities } from './stock.abilities';
import { transfersEndpoints } from './transfers/transfers.endpoints';
import { warehousesEndpoints } from './warehouses/warehouses.endpoints';

/** Warehouses and what is in them; `levels` is what orders will reserve and sell by. */
export const composeStock = ({ database, clock }: AreaParts): Area => ({
  endpoints: [...transfersEndpoints(database, clock), ...warehousesEndpoints(database, clock)],
  components: [],
  abilities: stockAbilities,
});
