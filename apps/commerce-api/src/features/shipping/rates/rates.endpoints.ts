import { InvalidInput } from '@platform/errors';
import { listOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf, type By } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { cartLines, wantedBySku } from '../../sales/carts/public';
import { openWarehouse } from '../../stock/warehouses/public';
import { placeNamed, placeOf, type Place } from './place';
import type { Rates } from './rates';
import { RateOption, RatesAsked } from './rates.dto';

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly rates: Rates;
}

const placeAsked = ({ area_id, destination }: RatesAsked): Place => {
  if (destination === undefined) return placeOf({ area_id });
  if (area_id === undefined) return placeNamed(destination);
  const message = 'destination cannot be given with area_id';
  throw new InvalidInput([{ field: 'destination', tag: 'excluded_with', message }]);
};

const ratesOf = async ({ database, rates }: Parts, by: By, body: RatesAsked): Promise<RateOption[]> => {
  const { items, warehouse_id: warehouseId, cod } = body;
  const place = placeAsked(body);
  if (warehouseId !== undefined) await openWarehouse(database, by.storeId, warehouseId);
  const lines = await cartLines(database, by.storeId, await wantedBySku(database, by.storeId, items));
  const options = await rates.optionsFor(by, { lines, place, warehouseId });
  return options.filter((option) => !cod || option.cod);
};

export const ratesEndpoints = (parts: Parts): Endpoint[] => [
  endpoint({
    post: '/api/shipping/rates',
    summary: 'All options for a cart',
    tag: 'Shipping',
    // What it costs to have goods sent is read by whoever reads what they cost, the bot among them
    guard: 'product.read',
    body: RatesAsked,
    reply: listOf(RateOption),
    refuses: ['notFound'],
    handle: (input) => ratesOf(parts, byOf(parts.clock)(input), input.body),
  }),
];
