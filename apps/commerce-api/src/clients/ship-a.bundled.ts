import type {
  CourierPrice,
  FoundArea,
  ListedArea,
  PriceAsked,
  ShippingProvider,
  Tracked,
} from '../features/shipping/port';
import { areFoundBy, wordsOf } from '../features/shipping/area.words';
import { notSetUp } from './ship-a.values';

/** province, city, district, postcode */
const TABLE = [
  ['DKI Jakarta', 'Jakarta Pusat', 'Menteng', '10310'],
  ['DKI Jakarta', 'Jakarta Selatan', 'Tebet', '12810'],
  ['Jawa Barat', 'Bandung', 'Coblong', '40132'],
  ['Jawa Barat', 'Bandung', 'Cicendo', '40171'],
  ['Jawa Barat', 'Cimahi', 'Cimahi Utara', '40511'],
  ['DI Yogyakarta', 'Sleman', 'Depok', '55281'],
  ['Jawa Timur', 'Surabaya', 'Gubeng', '60281'],
] as const;

const slug = (text: string): string => text.toLowerCase().replaceAll(' ', '-');

const PLACES: readonly FoundArea[] = TABLE.map(([province, city, district, postcode]) => ({
  ...{ id: `${postcode}-${slug(district)}`, label: `${district}, ${city}, ${province}, ${postcode}` },
  ...{ district, city, province, postcode },
}));

const FLAT = 10_000;
const KG = 1_000;

const listed = (rows: readonly ListedArea[]): ListedArea[] => [...new Map(rows.map((row) => [row.id, row])).values()];

const prices = ({ weightG, couriers }: PriceAsked): CourierPrice[] =>
  couriers.map((courier) => ({
    ...{ courier, service: 'REG', description: 'Flat', cost: FLAT * Math.ceil(weightG / KG), etd: '2-3' },
  }));

/** Instead of a provider where there is no key: a few places, and prices that nobody is bound by and that say so. */
export const bundledShipping: ShippingProvider = {
  name: 'bundled',
  isThere: true,
  mark: 'sandbox',
  provinces: async () => listed(PLACES.map(({ province }) => ({ id: slug(province), name: province, postcode: null }))),
  cities: async (provinceId) =>
    listed(
      PLACES.filter(({ province }) => slug(province) === provinceId).map(({ city }) => ({
        ...{ id: slug(city), name: city, postcode: null },
      })),
    ),
  districts: async (cityId) =>
    PLACES.filter(({ city }) => slug(city) === cityId).map(({ id, district: name, postcode }) => ({
      id,
      name,
      postcode,
    })),
  search: async (text, limit) => PLACES.filter(({ label }) => areFoundBy(wordsOf(text), label)).slice(0, limit),
  prices: async (asked) => prices(asked),
  track: async (): Promise<Tracked | undefined> => undefined,
};

const away = (): Promise<never> => Promise.reject(notSetUp());

/** Where prices that nobody is bound by must not be offered, and no provider is set up. */
export const noShipping: ShippingProvider = {
  ...{
    name: 'none',
    isThere: false,
    mark: null,
    provinces: away,
    cities: away,
    districts: away,
    search: away,
    prices: away,
    track: away,
  },
};
