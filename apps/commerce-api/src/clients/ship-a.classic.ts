import type {
  CourierPrice,
  FoundArea,
  ListedArea,
  PriceAsked,
  ShippingProvider,
  Tracked,
  WaybillAsked,
} from '../features/shipping/port';
import { areFoundBy, wordsOf } from '../features/shipping/area.words';
import { isRow, rowAt, type Row } from './provider.values';
import { form, type ShipAccount, type ShipCall } from './ship-a.account';
import { demandRows, foundOf, idAt, listedOf, priceOf, rowsOf, trackedOf, wordAt } from './ship-a.values';

const PROVINCE = { id: 'province_id', name: 'province', postcode: '' };
const CITY = { id: 'city_id', name: 'city_name', postcode: 'postal_code' };
const SUBDISTRICT = { id: 'subdistrict_id', name: 'subdistrict_name', postcode: '' };
const FOUND = {
  ...{ id: 'subdistrict_id', district: 'subdistrict_name', city: 'city', province: 'province', postcode: '' },
};
/** Of cities whose districts a search looks through: each is a request of the day's quota. */
const MOST_CITIES = 3;

const costsOf = (row: Row): CourierPrice[] => {
  const courier = wordAt(row, 'code', 20);
  return (rowsOf(row.costs) ?? []).flatMap((service) => {
    const [price = {}] = rowsOf(service.cost) ?? [];
    return priceOf(service, { courier, cost: price.value, etd: wordAt(price, 'etd', 40) });
  });
};

/** The provider as RajaOngkir was before. It has no search, and its districts have one number: both spaces are the same. */
class Classic implements ShippingProvider {
  readonly name = 'classic';
  readonly isThere = true;
  readonly mark = null;

  constructor(private readonly account: ShipAccount) {}

  async provinces(): Promise<readonly ListedArea[]> {
    return (await this.list('/province')).flatMap((row) => listedOf(row, PROVINCE));
  }

  async cities(province: string): Promise<readonly ListedArea[]> {
    return (await this.list('/city', { province })).flatMap((row) => listedOf(row, CITY));
  }

  async districts(city: string): Promise<readonly ListedArea[]> {
    return (await this.list('/subdistrict', { city })).flatMap((row) => listedOf(row, SUBDISTRICT));
  }

  /** Looks through the districts of the cities that the text names; a district alone is not found. */
  async search(text: string, limit: number): Promise<readonly FoundArea[]> {
    const words = wordsOf(text);
    const named = (await this.list('/city')).filter((row) =>
      words.some((word) => areFoundBy([word], wordAt(row, 'city_name') ?? '')),
    );
    const ids = named.flatMap((row) => idAt(row, 'city_id') ?? []).slice(0, MOST_CITIES);
    const rows = await Promise.all(ids.map((city) => this.list('/subdistrict', { city })));
    return rows
      .flat()
      .flatMap((row) => foundOf(row, FOUND))
      .filter(({ label }) => areFoundBy(words, label))
      .slice(0, limit);
  }

  async prices({ origin, destination, weightG, couriers }: PriceAsked): Promise<readonly CourierPrice[]> {
    const body = form({
      ...{ origin, originType: 'subdistrict', destination, destinationType: 'subdistrict' },
      ...{ weight: String(weightG), courier: couriers.join(':') },
    });
    return (await this.rows({ method: 'POST', path: '/cost', template: '/cost', body })).flatMap(costsOf);
  }

  async track({ courier, waybill }: WaybillAsked): Promise<Tracked | undefined> {
    const call = { method: 'POST', path: '/waybill', template: '/waybill', also: [400], isTracking: true } as const;
    const answer = await this.told({ ...call, body: form({ waybill, courier }) });
    const status = rowAt(answer, 'status');
    if (status.code === 400 && /waybill/i.test(wordAt(status, 'description') ?? '')) return undefined;
    const tracked = trackedOf(rowAt(answer, 'result'));
    if (tracked) return tracked;
    throw this.account.line.nonsense(call);
  }

  private list(path: string, query: Readonly<Record<string, string>> = {}): Promise<readonly Row[]> {
    const asked = form(query);
    return this.rows({ method: 'GET', path: asked === '' ? path : `${path}?${asked}`, template: path });
  }

  private async rows(call: ShipCall): Promise<readonly Row[]> {
    return demandRows(this.account.line, call, (await this.told(call)).results);
  }

  private async told(call: ShipCall): Promise<Row> {
    const { body } = await this.account.ask(call);
    if (isRow(body) && isRow(body.rajaongkir)) return body.rajaongkir;
    throw this.account.line.nonsense(call);
  }
}

/** The provider as RajaOngkir was before, for one account. */
export const classicShipping = (account: ShipAccount): ShippingProvider => new Classic(account);
