import { Housekeeping, type Cache } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { inTime } from '../../astray';
import type { OpenShipping } from '../../clients/ship-a';
import { Areas } from './areas/areas';
import { areasEndpoints } from './areas/areas.endpoints';
import { CourierRates } from './couriers/courier.rates';
import { couriersEndpoints } from './couriers/couriers.endpoints';
import { labelEndpoints } from './labels/label.endpoints';
import { labelPages } from './labels/label.pages';
import { methodsEndpoints } from './methods/methods.endpoints';
import { shippingPages } from './settings/shipping.pages';
import { ownMethods } from './rates/own-methods';
import { Rates } from './rates/rates';
import { ratesEndpoints } from './rates/rates.endpoints';
import { shipmentPages } from './shipments/shipments.pages';
import { shipmentsEndpoints } from './shipments/shipments.endpoints';
import { SharedProvider } from './shared.provider';
import { shippingAbilities } from './shipping.abilities';
import { completeArrived } from './tracking/arrived.orders';
import { Parcels } from './tracking/tracking';
import { trackingEndpoints } from './tracking/tracking.endpoints';

/** Prices that are not good any more. */
const QUOTES = { table: 'rate_quote', column: 'expires_at', keepMs: 0 };

interface Parts extends AreaParts {
  readonly cache: Cache;
  readonly couriers: OpenShipping;
}

const jobsOf = (parcels: Parcels, { database, clock, logger }: AreaParts): Required<Area>['jobs'] => ({
  'shipment.due': {
    effect: 'inside',
    run: (_payload, { signal }) => parcels.due(signal),
    cron: [{ pattern: '*/15 * * * *' }],
  },
  'shipment.track': { effect: 'outside', run: ({ storeId, id }) => parcels.track(storeId, id) },
  'order.autocomplete': {
    effect: 'inside',
    run: inTime(database, { clock, logger }, (now, signal) =>
      completeArrived({ database, clock: now, logger }, signal),
    ),
    cron: [{ pattern: '7 * * * *' }],
  },
});

interface Shipped extends Area {
  /** The ways to send a cart, and where places are looked for. */
  readonly told: { readonly rates: Rates; readonly areas: Areas };
}

/** How goods reach buyers and come back. */
export const composeShipping = ({ cache, couriers, ...parts }: Parts): Shipped => {
  const { database, clock, logger } = parts;
  const provider = new SharedProvider({ ...couriers, cache, logger });
  if (!provider.isThere)
    logger.warn('SHIP_A_KEY is missing: no couriers are offered, and shops send by methods of their own alone');
  const asked = { ...parts, cache, provider };
  const areas = new Areas(asked);
  const courierRates = new CourierRates({ ...asked, areas });
  const parcels = new Parcels(asked);
  const rates = new Rates(database, [ownMethods(database), courierRates.source]);
  return {
    told: { rates, areas },
    endpoints: [
      ...methodsEndpoints({ database, clock }),
      ...couriersEndpoints({ database, clock, areTold: provider.isThere }),
      ...ratesEndpoints({ database, clock, rates }),
      ...shipmentsEndpoints({ database, clock }),
      ...labelEndpoints({ database, clock }),
      ...areasEndpoints(areas, courierRates),
      ...trackingEndpoints(parcels, { database }),
    ],
    pages: [
      labelPages(database),
      shipmentPages({ database }),
      shippingPages({ database, clock, areTold: provider.isThere }),
    ],
    components: [...couriers.components, new Housekeeping(database, { clock, logger, expired: [QUOTES] })],
    abilities: shippingAbilities,
    jobs: jobsOf(parcels, parts),
  };
};
