import { area, listOf, type Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { CourierPrice, PriceAsked } from '../port';
import type { Areas } from './areas';
import { AreaRow, AreaSearch, CityQuery, CostAsked, CostRow, DistrictQuery, FoundAreaRow } from './areas.dto';

/** What the provider cannot tell now. */
export const PROVIDER_AWAY = ['upstreamFailed', 'upstreamTimedOut'] as const;
// Read by whoever reads what goods cost, the bot among them
const guard = 'product.read';

const lists = (areas: Areas): Endpoint[] => [
  endpoint({
    get: '/province',
    summary: 'Provinces',
    guard,
    reply: listOf(AreaRow),
    refuses: PROVIDER_AWAY,
    handle: async ({ caller }) => [...(await areas.provinces(caller.storeId))],
  }),
  endpoint({
    get: '/city',
    summary: 'Cities of a province',
    guard,
    query: CityQuery,
    reply: listOf(AreaRow),
    refuses: PROVIDER_AWAY,
    handle: async ({ caller, query }) => [...(await areas.cities(caller.storeId, query.province_id))],
  }),
  endpoint({
    get: '/district',
    summary: 'Districts of a city',
    guard,
    query: DistrictQuery,
    reply: listOf(AreaRow),
    refuses: PROVIDER_AWAY,
    handle: async ({ caller, query }) => [...(await areas.districts(caller.storeId, query.city_id))],
  }),
];

/** Whoever knows what couriers take. */
interface Priced {
  prices(storeId: string, asked: PriceAsked): Promise<readonly CourierPrice[]>;
}

export const areasEndpoints = (areas: Areas, couriers: Priced): Endpoint[] =>
  area({ prefix: '/api/ship_a', tag: 'Shipping' }, [
    ...lists(areas),
    endpoint({
      get: '/search',
      summary: 'Find destination by name or postcode',
      guard,
      query: AreaSearch,
      reply: listOf(FoundAreaRow),
      refuses: PROVIDER_AWAY,
      handle: async ({ caller, query }) => [...(await areas.search(caller.storeId, query.q, query.limit))],
    }),
    endpoint({
      post: '/cost',
      summary: 'Courier prices between two places',
      guard,
      body: CostAsked,
      reply: listOf(CostRow),
      refuses: PROVIDER_AWAY,
      handle: async ({ caller, body: { space = 'search', weight_g: weightG, couriers: codes, ...places } }) => {
        const asked = { ...places, space, weightG, couriers: [...new Set(codes)].toSorted() };
        return [...(await couriers.prices(caller.storeId, asked))];
      },
    }),
  ]);
