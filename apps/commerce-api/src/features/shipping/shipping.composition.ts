import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { labelEndpoints } from './labels/label.endpoints';
import { methodsEndpoints } from './methods/methods.endpoints';
import { ownMethods } from './rates/own-methods';
import { Rates } from './rates/rates';
import { ratesEndpoints } from './rates/rates.endpoints';
import { silent } from './shipments/packing';
import { shipmentsEndpoints } from './shipments/shipments.endpoints';
import { shippingAbilities } from './shipping.abilities';

/** Prices that are not good any more. */
const QUOTES = { table: 'rate_quote', column: 'expires_at', keepMs: 0 };

/** How goods reach buyers and come back; `rates` tells the ways to send a cart. */
export const composeShipping = ({ database, clock, logger }: AreaParts): Area & { readonly rates: Rates } => {
  const rates = new Rates(database, [ownMethods(database)]);
  return {
    rates,
    endpoints: [
      ...methodsEndpoints({ database, clock }),
      ...ratesEndpoints({ database, clock, rates }),
      ...shipmentsEndpoints({ database, clock, tell: silent }),
      ...labelEndpoints({ database, clock }),
    ],
    components: [new Housekeeping(database, { clock, logger, expired: [QUOTES] })],
    abilities: shippingAbilities,
  };
};
