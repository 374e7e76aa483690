import { area, dataOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Couriers, CouriersBody } from './couriers.dto';
import { courierRefusals, couriersOf, saveCouriers } from './couriers.sql';

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  /** Whether there is a provider that tells what couriers take. */
  readonly areTold: boolean;
}

export const couriersEndpoints = ({ database, clock, areTold }: Parts): Endpoint[] =>
  area({ prefix: '/api/shipping/couriers', tag: 'Shipping' }, [
    endpoint({
      get: '',
      summary: 'Couriers and services offered',
      guard: 'order.read',
      reply: dataOf(Couriers),
      refuses: [],
      handle: ({ caller }) => couriersOf(database, caller.storeId),
    }),
    endpoint({
      put: '',
      summary: 'Choose couriers, markup, free-shipping rule',
      guard: 'shipping.write',
      body: CouriersBody,
      reply: dataOf(Couriers, 'Couriers saved'),
      refuses: [courierRefusals.none],
      handle: (input) => {
        // A courier that is never offered is worse than one that cannot be chosen
        if (!areTold && input.body.couriers.some(({ active = true }) => active)) throw courierRefusals.none();
        return database.tx((tx) => saveCouriers(tx, byOf(clock)(input), input.body));
      },
    }),
  ]);
