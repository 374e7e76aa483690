import { silentLogger } from '@platform/runtime';
import { UpstreamFailed } from '@platform/errors';
import { bundledShipping } from '../../../clients/ship-a.bundled';
import { Areas } from '../areas/areas';
import type { PriceAsked } from '../port';
import { SharedProvider } from '../shared.provider';
import { CourierRates } from './courier.rates';
import { courierShop, useCouriers } from './couriers.fixture';

const couriered = useCouriers();
const NOTHING_KEPT = { get: async () => null, set: async () => undefined, increment: async () => 1 };
/** What couriers take for 1.2 kg: jne counts one, pos two. */
const offered = async (prices: (asked: PriceAsked) => Promise<never> | undefined): Promise<string[]> => {
  const { database, clock } = couriered.commerce;
  const provider = new SharedProvider({
    provider: { ...bundledShipping, prices: (asked) => prices(asked) ?? bundledShipping.prices(asked) },
    ...{ cache: NOTHING_KEPT, logger: silentLogger, mostADay: 1_000 },
  });
  const parts = { database, clock, cache: NOTHING_KEPT, logger: silentLogger, provider };
  const { storeId, to } = await courierShop(couriered.commerce);
  const place = { area_id: to, names: [] };
  const sending = { storeId, place, weightG: 1_200, subtotal: 0 };
  return (await new CourierRates({ ...parts, areas: new Areas(parts) }).source(sending)).map(
    ({ name, cost }) => `${name} ${cost}`,
  );
};
const ofPos = ({ couriers }: PriceAsked): boolean => couriers.includes('pos');

it('couriers that do not answer, or hang, hide no other ones', async () => {
  expect(await offered(() => undefined)).toEqual(['JNE REG (sandbox) 11500', 'POS REG (sandbox) 20000']);
  const failing = () => Promise.reject(new UpstreamFailed('away', { outcome: 'undone' }));
  const hanging = () => new Promise<never>(() => undefined);
  for (const how of [failing, hanging])
    expect(await offered((asked) => (ofPos(asked) ? how() : undefined))).toEqual(['JNE REG (sandbox) 11500']);
  expect(await offered(failing)).toEqual([]);
});

it('what is our own failure is not taken for couriers that are away', async () => {
  const broken = new TypeError('broken');
  await expect(offered((asked) => (ofPos(asked) ? Promise.reject(broken) : undefined))).rejects.toBe(broken);
});
