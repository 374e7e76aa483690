import type { Sql } from '@platform/data';
import { activeMethods, type ShippingMethod } from '../methods/public';
import { isServed } from './place';
import type { Offer, RateSource, Sending } from './sending';

const takes = ({ areas, max_weight_g }: ShippingMethod, { place, weightG }: Sending): boolean =>
  isServed(place, areas) && (max_weight_g === null || weightG <= max_weight_g);

const offerOf = ({ id, kind, name, cost, free_over }: ShippingMethod, { subtotal }: Sending): Offer => ({
  ...{ option: `own:${id}`, kind, courier: null, service: null, name },
  ...{ cost: free_over !== null && subtotal >= free_over ? 0 : cost, etd_days: null, cod: kind === 'cod' },
});

/** The methods of the store itself that go there with so much. */
export const ownMethods =
  (sql: Sql): RateSource =>
  async (sending) =>
    (await activeMethods(sql, sending.storeId))
      .filter((method) => takes(method, sending))
      .map((method) => offerOf(method, sending));
